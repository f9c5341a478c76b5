"""Where pictures come from: video files, cameras of this machine, streams; what is peculiar about each is put right here."""
