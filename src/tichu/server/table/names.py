"""Names at one table must not be taken for each other.

Two names look alike if they have the same skeleton (Unicode Technical Standard 39): what is left when every letter is
replaced by the one that it looks like.  Most of that is in Python's own tables: compatibility forms (full-width and
mathematical letters, ligatures) and accents.  What is not is listed here: letters of other scripts that look like Latin
ones, and a few that look alike among themselves.
"""
# ruff: noqa: RUF001, RUF002

from collections.abc import Collection
from typing import Final
from unicodedata import category, combining, decimal, normalize

from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.sanitize import clean

__all__ = ["looks_like", "name_keys", "skeleton", "unique_name"]

#: Letters, and below each the one that it is taken for.
_LOOKALIKES: Final = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХЗЬҮԌԚԜѴҺӀ", "ABESIJKMHOPCTYX3bYGQWVhI"),
    ("авеѕіјкмнорстухзьүԁԛԝѵһӏгп", "aBesijkMHopcTyx3bydqwvhIrn"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺͿ", "ABEZHIKMNOPTYXCMJ"),
    ("αβγεηικνορστυχϲω", "aßyenikvopotuxcw"),
    # Armenian, Hebrew, Arabic
    ("ՏՍՕԼօսոհցզյաւ", "SUOLounhgqjwi"),
    ("סוןاه٠١٥", "olllo.lo"),
    # Cherokee
    ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏞᏟᏢᏦᏙᏚᏴᏏᏎᏔ", "DRTiAJEWMHGZLCPKVSBb4W"),
    # Lisu, Coptic, Canadian syllables
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    ("ⲤⲎⲔⲘⲚⲞⲢⲦⲬⲨⲒⲥⲟⲣ", "CHKMNOPTXYIcop"),
    ("ᗅᗷᗞᖴᕼᒍᒪᗰᑭᖇᑌᐯ", "ABDFHJLMPRUV"),
    # Latin: without dot, bar or hook; small capitals
    ("ıɩɑɡʋøđðłħŧƒƿØĐŁĦŦ", "iiagvoddlhtfpODLHT"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPRSTUVWYZ"),
    # Rarer letters and signs, by their numbers
    ("×ſƄƍƖƽǀɣɯ˛ͺϜϳѡҽգռքଠഠဝყჿሀዐᎩᎽᏂᏒᏕᏧᏳᑯᑲᕁᕽᖯᗪ᙭᙮ᚷᛁᛕ", "xfbglslywiiFjweqnfOooyoUOYYhRSdGdbxxbDXxXlK"),
    ("ᛖᴑᴦᶃᶌẝỿ℮∣∨∪⊤⋁⋃⋿⍳⍴⍺⏽╳⟙⤫⤬⨯ⲅⳐⴸⴹⵏⵔⵕⵝ〇ꓒꙇꛟꞘꞙꞟꞲꞳꞴꬲꬵ", "MorgyfyelvUTvUEipalXTxxxrLVElOQXOdiVFfuJXBef"),
    ("ꬽꭇꭈꭎꭒꭚꮁ￨𐊂𐊆𐊇𐊊𐊐𐊒𐊕𐊖𐊗𐊠𐊡𐊢𐊥𐊫𐊰𐊱𐊲𐊴𐋏𐋵𐌁𐌂𐌉𐌑𐌕𐌗𐌠𐌢𐐄𐐕𐐛𐐠𐐬𐐽𐑈𐒴", "orruuyrlBEFlXOPSTABCFOMTYXHZBClMTXlXOCLSocsR"),
    ("𐓂𐓎𐓪𐓶𐔓𐔖𐔘𐔜𐔝𐔥𐔦𐔧𑜆𑜊𑜎𑜏𑢠𑢢𑢣𑢤𑢦𑢩𑢮𑢲𑢵𑢸𑢼𑣀𑣁𑣂𑣃𑣄𑣈𑣗𑣘𑣜𑣬𑣯𑣲𖼈𖼊𖼖𖼨𖼵", "OUouNOKCVFLXvwwwVFLYEZELOUTvsFizoouyXWCVTLlR"),
    ("𖼺𖽀𖽂𖽃𝈍𝈓𝈖𝈪𝟊🝌🝨", "SAUYVFRLFCT"),
    # Kana, ideographs and Hangul letters by themselves
    ("二八口力夕工卜へ一丨", "ニハロカタエトヘーI"),
    ("ㅇㅁㅣㅡㅏ", "oロIート"),
    # Signs and digits
    ("|0\u2019\u2018`\u00b4\u02bc\u2010\u2011\u2012\u2013\u2014\u2212\u00b7\u2022", "IO'''''------.."),
)
#: Last, because these replace what the others lead to.
_AS_ELL: Final = str.maketrans("I1", "ll")
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("VV", "W"))
_TABLE: Final = {ord(one): other for signs, others in _LOOKALIKES for one, other in zip(signs, others, strict=True)}
#: Marks of this combining class and above are accents; those below are vowels, dots and other parts of a letter.
_ACCENTS: Final = 200


def skeleton(name: str) -> str:
    """What a name looks like.

    >>> skeleton("Kim") == skeleton("Кіm") == skeleton("Ｋｉｍ") == skeleton("Kim\u0301") != skeleton("Tim")
    True
    """
    return _merged(_visible_letters(name))


def _folded_skeleton(name: str) -> str:
    """The same whether letters are large or small."""
    return _merged(_visible_letters(name.casefold()).casefold())


def _visible_letters(name: str) -> str:
    # Hangul letters by themselves first: decomposed, they would be parts of syllables.
    signs = "".join(map(_digit, normalize("NFKD", name.translate(_TABLE)))).translate(_TABLE)
    return "".join(sign for sign in signs if combining(sign) < _ACCENTS and category(sign) not in ("Zs", "Cf"))


def _digit(sign: str) -> str:
    """Digits of all scripts are those that everybody knows."""
    return str(decimal(sign, sign))


def _merged(letters: str) -> str:
    letters = letters.translate(_AS_ELL)
    for pair, one in _PAIRS:
        letters = letters.replace(pair, one)
    return letters


def looks_like(name: str, other: str) -> bool:
    """Whether somebody could take one name for the other.

    >>> looks_like("Paul", "PAUL"), looks_like("IIona", "llona"), looks_like("Paul", "Paula")
    (True, True, False)
    """
    return skeleton(name) == skeleton(other) or _folded_skeleton(name) == _folded_skeleton(other)


def name_keys(name: str) -> tuple[str, str]:
    """Two names look alike if one of their keys is the same.

    >>> [one == other for one, other in zip(name_keys("Paul"), name_keys("PAUL"))]
    [False, True]
    """
    return f"as written {skeleton(name)}", f"folded {_folded_skeleton(name)}"


def unique_name(name: str, others: Collection[str]) -> str:
    """The name, or with a number if somebody has it already.

    :raises Refusal: it looks like another one and is not
    """
    candidates = (name, *(f"{clean(name, 20)} {number}" for number in range(2, 8)))
    if any(looks_like(name, other) and not _is_same(name, other) for other in others):
        raise Refusal(TableReason.LOOKALIKE)
    return next(one for one in candidates if not any(looks_like(one, other) for other in others))


def _is_same(name: str, other: str) -> bool:
    """Nobody is deceived by "kim" next to "Kim 2"."""
    return normalize("NFC", name).casefold() == normalize("NFC", other).casefold()
