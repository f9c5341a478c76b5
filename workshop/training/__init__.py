"""Training: pictures with exact corners in, ONNX models out. Needs the extra `train`."""
