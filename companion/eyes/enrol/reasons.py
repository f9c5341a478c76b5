"""Why a photo cannot be used to teach a card. Pages translate the texts with gettext."""

from companion.table.errors import Reason
from companion.table.language import N_

NO_CARD = Reason("no_card", N_("no card is seen in it: lay one card, whole, on a plain surface"))
SEVERAL_CARDS = Reason("several_cards", N_("several cards are seen in it: lay down one alone"))
CUT_OFF = Reason("cut_off", N_("the card reaches the edge of the photo: show it whole, with some table around it"))
PART = Reason("part", N_("it is no card's shape: hold the camera straight above the card, or lay it on another surface"))
TOO_SMALL = Reason("too_small", N_("the card is too small in it: come nearer"))
BLURRED = Reason("blurred", N_("the card is blurred: hold still, and let the camera focus"))
GLARED = Reason("glared", N_("light is reflected on the card: turn the card or the lamp"))
DARK = Reason("dark", N_("the card is too dark to be read: more light"))
ALIKE = Reason("alike", N_("the table is as white as the card: lay it on something darker"))
TWICE = Reason("twice", N_("the same photo is given for two cards"))
NO_PICTURE = Reason("no_picture", N_("not a picture that can be read (JPEG, PNG, WebP, …), or it is damaged"))
NO_SUCH_CARD = Reason("no_such_card", N_("this is no card's id: expected one such as gnao, denari-7, hearts-12 or back"))
OTHER_LIST = Reason("other_list", N_("this card is of another list than the other photos"))
