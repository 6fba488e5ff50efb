"""What the interface rejects, as tables: forms of bodies, parameters and headers; and what cannot be done, by whom.

A request names its place in the world of `test_refusals`, as in "POST {table}/actions".
"""

from typing import Any

from tests.support.people import ME, OPEN

NEW_GAME = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}
DUEL = {"ruleset": "plateau", "seats": [ME, OPEN]}
BID = {"type": "bid", "exchange": True, "objective": "bridge", "team": "solo"}
PASS = {"type": "pass"}
REPLACE = {"act": "replace", "seat": 1, "bot": "random", "reason": "asked for by the player"}
HOOK = {"url": "https://ada.example/plateau"}
PUSH_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SUBSCRIPTION = {
    "endpoint": "https://push.example.com/a",
    "keys": {"p256dh": PUSH_KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"},
}

NO_CARD = ["XX", "", "rh", "RH ", " RH", "R H", "RH\n", "T0", "T22", "T01", "11S", "0S", "RT", "EXX", "ex", "ＲＨ", "é",
           "RHRH", "#1", "x" * 5000, 1, 0, 1.5, True, None, [], ["RH"], {}, {"card": "RH"}]  # fmt: skip
NO_SEAT = [True, False, "0", 0.5, 1e30, -1.0, -1, None, [], [0], {}, 10**18, ""]
NO_TEXT = [1, True, None, [], {}, ["Ada"], 1.5]
NO_NAME = [*NO_TEXT, "", " ", "x" * 41, "a\nb", "a\x00b", "\x7f"]
NO_WORD = ["", "Bridge", "bridge ", "bridges", 1, True, None, [], ["bridge"], {}]
NO_TRUTH = [1, 0, "true", "false", "yes", "", None, [], {}, 1.0]
NO_LIST = ["RH", 3, True, None, {}, {"0": "RH"}]
NO_VERSION = ["1", '"1:br"', '":gzip"', "W/1", '"x"', '"1', "1.5", '"1", "2"', '""', "", '"-1"', '"1234567890123"',
              '"٣"']  # fmt: skip
NO_KEY = ["", "k" * 129, "schlüssel", "a\tb", "\x7f"]
NO_URL = ["http://a.example.com/a", "https://127.0.0.1/a", "https://[::1]/a", "https://169.254.169.254/a",
          "https://[::ffff:10.0.0.1]/a", "https://user:word@a.example.com/a", "ftp://a.example.com/a", "https://",
          "https://a.example.com:22/a", ""]  # fmt: skip
UNKNOWN = ["more", "Type", "", "self", "__class__", "é"]


Forms = dict[str, tuple[Any, dict[str, list[Any]]]]

FORMS: Forms = {
    "POST /v1/players": (
        {"name": "Ada"},
        {"/name": NO_NAME, "/operator": ["", "x" * 201, "a\nb", 7, ["Ben"], {}, "\u202eBen"], "/more": [1]},
    ),
    "PATCH /v1/me": (
        {},
        {
            "/name": NO_NAME,
            "/language": ["French", "FR", "fr\n", "fr" + "-abcdefgh" * 5],
            "/time_zone": ["Paris", "../../etc/passwd", "", "localtime", "Factory", "posixrules"],
            "/shows": [None],
            "/shows/name": [True],
            "/shows/seen": ["yes"],
            "/seen": ["2026-01-01"],
            "/kind": ["bot"],
            "/operator": ["Ben"],
        },
    ),
    "POST /v1/me/tokens": (
        {},
        {
            "/scopes": [[], "games:read", ["games:read"] * 5, None],
            "/scopes/0": ["admin", "games:cheat", 1, ["games:read"]],
        },
    ),
    "DELETE /v1/me?confirm={ada}": (None, {"?confirm": ["", "true", "pl_1"]}),
    "PUT /v1/me/mail": (
        {"address": "ada@example.org", "quiet_hours": {"start": "22:00", "end": "07:00"}},
        {
            "/address": ["ada", "ada@localhost", "ada@example", "ada@@example.org", "Ada <ada@example.org>",
                         "ada@example.org\r\nBcc: x@y.de", "ada@example.org, eve@example.org", "ada@[127.0.0.1]",
                         "a" * 65 + "@example.org", "", " ada@example.org", "é@example.org", "ada@example.test"],
            "/types": [[]],
            "/types/0": ["news"],
            "/quiet_hours": [{"start": "07:00", "end": "07:00"}],
            "/quiet_hours/end": [24, ""],
            "/quiet_hours/start": ["24:00", "9:00"],
            "/interval": ["PT1S", "P2D", "soon"],
            "/status": ["confirmed"],
        },
    ),
    "POST /v1/me/push-subscriptions": (
        SUBSCRIPTION,
        {
            "/endpoint": NO_URL,
            "/expirationTime": ["never", "1800000000000", -1, 0.5, True, [], {}],
            "/keys/p256dh": ["BA" + "A" * 85, "A" * 87, "é" * 30],
            "/keys/auth": ["A" * 20, "A" * 23],
            "/keys/more": ["x"],
        },
    ),
    "POST /v1/webhooks": (
        HOOK,
        {"/url": [*NO_URL, 7], "/types": [[], "all"], "/types/0": ["nothing"], "/more": [1]},
    ),
    "POST /v1/games": (
        NEW_GAME,
        {
            "/ruleset": [["le-plateau"], None, "Le-Plateau", "go"],
            "/seats": [[], [ME] * 13, 4, {"0": ME}, "mine"],
            "/seats/1": [{}, {**ME, **OPEN}, None],
            "/seats/1/open": [False, 1],
            "/seats/1/player": ["pl_1", None],
            "/seats/1/bot": ["", "nobody"],
            "/sandbox": [1, "true", None],
            "/visibility": ["Public", None],
            "/options": [[], None, "hands"],
            "/options/hands": ["4", 4.5, True, None, 0, 121, 10**18],
            "/options/first_dealer": [-1, True],
            "/options/void_hands": ["never"],
            "/options/board_tokens": [["T1"] * 101],
            "/options/board_tokens/0": [1],
            "/options/more": [1],
            "/options/": [1],
            "/more": [1],
            "/id": ["gm_mine"],
            "/creator": ["pl_1"],
            "/bot_pace": ["-PT1S", "PT10.001S", "PT0.0001S", 700, True, [], {}],
            "/clock": [5],
            "/clock/per_turn": ["P3D"],
            "/clock/per_move": [5, "P1M"],
            "/clock/on_timeout": ["lose"],
            "/clock/bot": ["nobody"],
            "/opening/within": ["soon", None],
            "/opening/unopened": ["wait"],
            "/opening/until": ["PT2M"],
            "Idempotency-Key": NO_KEY,
        },
    ),
    "POST {waiting}/seats": (
        {},
        {
            "/seat": [*NO_SEAT, 3, 11, 12],
            "/client_seed": ["", "x" * 65, "a\nb", 1, None, [], True],
            "/seed_commitment": ["", "ab", "A" * 64, "g" * 64, 7, None],
            "/more": [1],
            "/player": ["me"],
        },
    ),
    "POST {waiting}/invitations": (
        {"link": True},
        {"/expires_in": ["PT59S", "P31D", "soon", "P1Y", 7]},
    ),
    "POST {table}/actions": (
        PASS,
        {
            "/type": ["fly", "Play", "play ", "", "resign", None, 1, True, [], ["play"], {}, "x" * 60_000],
            "/decision_id": ["", "d1", "1_0", "d1_0x", "d-1_0", "D1_0", 7, None, ["d1_0"], "d1_0\n"],
            **{f"/{name}": [1] for name in UNKNOWN},
            "/a~1b~0c": [1],
            "?dry_run": ["1", "True", "yes", ""],
            "If-Match": NO_VERSION,
            "Idempotency-Key": NO_KEY,
        },
    ),
    "POST {sandbox}/actions": ({"type": "play", "card": "RH"}, {"/card": NO_CARD}),
    "POST {sandbox}/actions?as=0": (BID, {"/exchange": NO_TRUTH, "/objective": NO_WORD, "/team": NO_WORD}),
    "POST {sandbox}/actions?as=1": (
        {"type": "exchange", "discard": ["RH", "RC", "RD"]},
        {"/discard": [*NO_LIST, ["RH"] * 101], "/discard/1": NO_CARD},
    ),
    "POST {sandbox}/actions?as=2": (
        {"type": "give", "gifts": [{"seat": 1, "card": "RH"}, {"seat": 2, "card": "RD"}]},
        {"/gifts": NO_LIST, "/gifts/1": [1, "RH", None, ["RH"]], "/gifts/1/seat": [*NO_SEAT, 6]},
    ),
    "POST {duel}/actions": (
        {"type": "onboard", "square": "b1", "height": 0, "piece": "M", "up": "x"},
        {"/square": ["e1"], "/height": [-1]},
    ),
    "POST {duel}/actions?as=0": ({"type": "tender", "pieces": ["M"]}, {"/type": ["bid", "resign"]}),
    "POST {table}/proposals": (
        {"kind": "pause", "duration": "P1D"},
        {"/duration": ["P2Y", "P1D\n", ""]},
    ),
    "POST {table}/proposals?as=0": ({"kind": "take_back"}, {"/to_version": [0, "7", True]}),
    "POST {table}/resign": ({"confirm": True}, {"/confirm": [False, None, 1]}),
    "POST {table}/forks": (
        {"seats": [ME] * 4},
        {
            "/at": [0],
            "/as": ["1"],
            "/seats": [[ME]],
            "/seats/3/open": [True],
            "/seats/3/bot": ["nobody"],
            "/clock": [None],
            "/visibility": ["secret"],
        },
    ),
    "POST {table}/phrases": (
        {"phrase": "hello"},
        {"/phrase": ["Play the queen", "", None, ["hello"]], "/words": ["Play the queen"]},
    ),
    "POST /v1/admin/games/{table_id}/acts": (
        REPLACE,
        {"/reason": ["", "a\nb", "x" * 201], "/bot": ["nobody"], "/act": ["win"]},
    ),
    "GET {table}/view": (
        None,
        {
            "?as": ["", "-1", "12", "me", "0x1", "1.0", "٣", "Spectator", "4", "11"],
            "?at": ["0", "-1", "x", "1e1", "9999999999"],
        },
    ),
    "GET {table}/scene": (None, {"?lang": ["tlh"], "?as": ["9", "me"], "?at": ["0"]}),
    "GET {table}/board.svg": (None, {"?as": ["9", "me"], "?at": ["0"], "?ticket": ["x" * 301]}),
    "GET {table}/events": (
        None,
        {
            "?after": ["-1", "x", "1.0", "", "1000000001"],
            "?limit": ["0", "1001", "x"],
            "?as": ["x"],
            "?since": ["1"],
            "?wait": ["61", "-1", "", "x"],
            "?lang": ["de", "EN", "en-GB", ""],
        },
    ),
    "GET {table}/export?format=text": (None, {"?format": ["json", ""], "?after": ["1"]}),
    "GET {table}/legal-actions": (None, {"?as": ["spectator", "x", "-1"], "?at": ["3"], "?limit": ["0", "x"]}),
    "GET /v1/games": (
        None,
        {
            "?limit": ["0", "101", "-1", "1.5", "", "ten", "٣"],
            "?cursor": ["", "x", "eHg=", "é"],
            "?status": ["", "closed"],
            "?open": ["1", "True"],
            "?open_seats": ["0", "13", "x", "2&status=active", "1&status=finished"],
            "?speed": ["fast", ""],
            "?sort": ["up"],
            "?player": ["", "ada", "pl_", "pl_%7Bx%7D", "pl_" + "x" * 65, "pl_a%20b"],
            "?ruleset": ["go"],
        },
    ),
    "GET /v1/games?status=active": (None, {"?open": ["true"]}),
    "GET /v1/me/events": (
        None,
        {
            "?after": ["x", "7", "-1", "1-2-3", ""],
            "?limit": ["0", "1001"],
            "?types": ["", "none", "invited,", "invited your_turn", "INVITED"],
        },
    ),
    "GET /v1/rulesets": (None, {"?lang": ["de"]}),
}  # fmt: skip
"""By request a right body, and by pointer the values for which it is malformed."""


def game(**more: Any) -> Any:
    """Ask for a sandbox of Le Plateau, or for what ``more`` makes of it."""
    return NEW_GAME | more


def options(ruleset: str, seats: int, **given: Any) -> Any:
    """Ask for a sandbox with these options."""
    return {"ruleset": ruleset, "seats": [ME] * seats, "sandbox": True, "options": given}


CLOCK = {"per_move": "P1D"}
Row = tuple[str, str, Any, int, str]

CASES: dict[str, list[Row]] = {
    "what makes no game": [
        *(("ada", "POST /v1/games", options("le-plateau", 4, **{name: value}), 422, f"/options/{name} {code}")
          for name, value, code in (
              ("hands", 5, "not-a-multiple"),
              ("first_dealer", 4, "no-such-seat"),
              ("abdication", "on", "five-players-only"),
              ("excuse", "french", "needs-all-cards"),
              ("board_tokens", ["T1"], "custom-board-only"),
          )),
        ("ada", "POST /v1/games", options("le-plateau", 2, deck="full"), 422, "/options/deck no-full-deck"),
        *(("ada", "POST /v1/games", game(seats=[ME] * seats), 422, "/seats number-of-seats") for seats in (1, 7, 12)),
        *(("ada", "POST /v1/games", options("plute", seats), 422, "/seats number-of-seats") for seats in (2, 5, 7)),
        ("ada", "POST /v1/games", options("plateau", 3), 422, "/seats number-of-seats"),
        ("ada", "POST /v1/games", game(seats=[ME, ME, OPEN], sandbox=False), 422, "/seats one-seat-a-player"),
        *(("ada", "POST /v1/games", game(clock=clock), 422, f"/clock{place}") for clock, place in (
            ({}, ""),
            ({"per_move": "PT0S"}, "/per_move"),
            ({"per_move": "PT4S"}, "/per_move"),
            ({"bank": "PT30S"}, "/bank"),
            (CLOCK | {"on_timeout": "resign"}, "/on_timeout"),
        )),
        *(("ada", "POST /v1/games", DUEL | {"opening": {"within": within}}, 422, "/options/opening/within")
          for within in ("PT4S", "P15D")),
        *(("ada", "POST /v1/games", options("plateau", 2, **given), 400, f"/options/{next(iter(given))}")
          for given in ({"repetition": 1}, {"repetition": True}, {"merged_strength": 1}, {"hands": 4})),
        *(("ada", "POST /v1/games", options("plute", 6, **given), 400, f"/options/{next(iter(given))}")
          for given in ({"win_at": 0}, {"lose_at": 10}, {"win_at": 2.5}, {"win_at": None}, {"low": "both"},
                        {"early_stop": True}, {"dealer_may_steal": "yes"}, {"hands": 3})),
        *(("ada", "POST /v1/games", options("french-tarot", 3, **given), 400, f"/options/{next(iter(given))}")
          for given in ({"deal_packet_3p": 5}, {"deal_packet_3p": "3"}, {"deal_packet_3p": 3.5},
                        {"deal_packet_3p": True}, {"poignee_5p_triple": 14}, {"poignee_5p_triple": 13.5},
                        {"score_rounding": 5}, {"call_self": "no"}, {"call_self": 1}, {"bidding": "closed"},
                        {"deals": 0}, {"deals": 121}, {"first_dealer": 5}, {"talon": 6})),
    ],
    "games": [
        ("stranger", "GET /v1/games/gm_0", None, 404, "no-such-game"),
        ("bob", "DELETE {waiting}", None, 403, "not-the-creator"),
        ("seat", "DELETE {waiting}", None, 403, "not-the-creator"),
        ("ada", "DELETE {table}", None, 409, "game-not-open"),
        ("ada", "DELETE {cancelled}", None, 409, "game-not-open"),
        ("bob", "DELETE {private}", None, 404, "no-such-game"),
    ],
    "seats": [
        ("ada", "POST {waiting}/seats", {"seat": 1}, 409, "already-seated"),
        ("eve", "POST {waiting}/seats", {"seat": 0}, 409, "seat-taken"),
        ("eve", "POST {table}/seats", {}, 409, "game-not-open"),
        ("eve", "POST {over}/seats", {}, 409, "game-not-open"),
        ("eve", "POST {cancelled}/seats", {}, 409, "game-not-open"),
        ("eve", "POST {waiting}/seats", {"client_seed": "luck"}, 428, "head-required"),
        ("eve", "POST {waiting}/seats", {"seed_commitment": "a" * 64}, 428, "head-required"),
        ("bob", "DELETE {waiting}/seats/0", None, 403, "not-your-seat"),
        ("ada", "DELETE {waiting}/seats/3", None, 404, "no-such-seat"),
        ("ada", "DELETE {table}/seats/0", None, 409, "game-not-open"),
        ("ada", "DELETE {cancelled}/seats/0", None, 409, "game-not-open"),
        ("bob", "PUT {waiting}/seats/1", {"bot": "random"}, 403, "not-your-seat"),
        ("bob", "PUT {table}/seats/0", {"bot": "random"}, 403, "not-your-seat"),
        ("ada", "PUT {waiting}/seats/3", {"bot": "random"}, 404, "no-such-seat"),
        ("ada", "PUT {waiting}/seats/1", {"bot": "deep"}, 400, "/bot"),
        ("ada", "PUT {cancelled}/seats/1", {"bot": "random"}, 409, "game-not-active"),
        ("ada", "POST {table}/seats/1/tokens", {}, 403, "not-your-seat"),
        ("eve", "POST {table}/seats/1/tokens", {}, 403, "not-your-seat"),
        ("ada", "POST {table}/seats/9/tokens", {}, 404, "no-such-seat"),
        ("ada", "POST {table}/seats/0/tokens", {"scopes": ["admin"]}, 400, "/scopes"),
    ],
    "playing": [
        *(("turn", "POST {table}/actions", action, 422, "wrong-phase") for action in (
            {"type": "play", "card": "RH"}, {"type": "keep"}, {"type": "exchange", "discard": ["RH", "RD", "RC"]},
            {"type": "announce", "card": "RH"}, {"type": "raise", "objective": "y"}, {"type": "abdicate"},
            {"type": "give", "gifts": []},
        )),
        *(("ada", "POST {table}/actions", PASS | {name: 1}, 400, "malformed") for name in ("_schema", "x" * 1000)),
        ("idle", "POST {table}/actions?as={turn}", PASS, 403, "not-your-seat"),
        ("eve", "POST {table}/actions?dry_run=true", PASS, 403, "not-seated"),
        ("ada", "POST {waiting}/actions?dry_run=true", PASS, 409, "game-not-active"),
        ("ada", "POST {table}/resign", {"confirm": True}, 422, "no-resignation"),
        ("ada", "POST {table}/resign", None, 400, "/confirm"),
        ("ada", "POST {waiting}/claim", {}, 409, "game-not-active"),
        ("ada", "POST {table}/proposals", {"kind": "draw"}, 422, "unsupported"),
        ("ada", "POST {table}/proposals", {"kind": "take_back"}, 409, "nothing-to-take-back"),
        ("ada", "POST {table}/proposals", {"kind": "pause", "to_version": 1}, 422, "/to_version"),
        ("ada", "POST {table}/proposals", {"kind": "pause", "duration": "PT1S"}, 422, "/duration"),
        ("ada", "POST {table}/proposals", {"kind": "pause", "duration": "P91D"}, 422, "/duration"),
        ("ada", "POST {table}/proposals?as=1", {"kind": "abort"}, 403, "not-your-seat"),
        ("eve", "POST {table}/proposals", {"kind": "abort"}, 403, "not-seated"),
        ("over", "POST {over}/proposals", {"kind": "abort"}, 409, "game-not-active"),
        ("ada", "POST {table}/seeds", {"client_seed": "luck"}, 409, "no-seeds-awaited"),
        ("ada", "POST {table}/phrases", {"phrase": "hello"}, 409, "silence-in-play"),
        ("ada", "POST {cancelled}/phrases", {"phrase": "hello"}, 409, "silence-aborted"),
        ("eve", "POST {waiting}/phrases", {"phrase": "hello"}, 403, "not-seated"),
        ("bob", "POST {duel}/phrases?as=0", {"phrase": "hello"}, 403, "not-your-seat"),
    ],
    "looking": [
        *(("ada", f"GET {{table}}/{what}", None, 403, "not-your-seat")
          for what in ("view?as=1", "view?as=1&at=7", "scene?as=1", "board.svg?as=1&at=7", "events?as=1",
                       "legal-actions?as=1", "export?format=text&as=1", "export?format=html&as=1", "plan?as=1")),
        *(("stranger", f"GET {{table}}/{what}", None, 403, "not-your-seat") for what in ("view?as=0", "events?as=1")),
        *((who, f"GET {{table}}/{what}?knowledge=full{more}", None, 403, "game-not-over")
          for who in ("ada", "stranger") for what in ("view", "board.svg", "scene")
          for more in ("", "&at=1", "&at=999999", "&as=spectator")),
        *(("ada", f"GET {{table}}/{what}?at=999", None, 412, "game-went-back")
          for what in ("view", "scene", "board.svg")),
        ("ada", "GET {table}/events?since=my-last-move&as=spectator", None, 403, "not-seated"),
        ("stranger", "GET {table}/events?since=my-last-move", None, 403, "not-seated"),
        ("eve", "GET {table}/legal-actions", None, 403, "not-seated"),
        ("ada", "GET {table}/export", None, 400, "?format"),
        ("stranger", "GET {table}/analysis", None, 404, "no-analysis"),
        ("stranger", "GET /v1/rulesets/go", None, 404, "no-such-ruleset"),
        ("stranger", "GET /v1/players/pl_0000", None, 404, "no-such-player"),
        ("stranger", "GET /v1/problems/bad-hair-day", None, 404, "not-found"),
        ("stranger", "GET /v1/heads?size=2", None, 404, "no-such-root"),
    ],
    "plans": [
        ("ada", "PUT {waiting}/plan", {}, 409, "game-not-active"),
        ("over", "PUT {over}/plan", {"forced": True}, 409, "game-not-active"),
        *((who, f"{method} {{table}}/plan{query}", {} if method == "PUT" else None, 403, code)
          for method in ("GET", "PUT", "DELETE")
          for who, query, code in (("eve", "", "not-seated"), ("bob", "?as=0", "not-your-seat"))),
    ],
    "forks, rematches and hints": [
        ("bob", "POST {table}/forks", {"at": 10_000}, 412, "game-went-back"),
        ("bob", "POST {table}/forks", {"at": 1}, 409, "nothing-to-fork"),
        ("bob", "POST {table}/forks", {"as": 0}, 403, "not-your-seat"),
        ("bob", "POST {table}/forks", {"as": 9}, 400, "?as"),
        ("bob", "POST {table}/forks", {"visibility": "public"}, 422, "fork-too-visible"),
        ("bob", "POST {table}/forks", {"visibility": "unlisted"}, 422, "fork-too-visible"),
        ("ada", "POST {over}/forks", {}, 409, "nothing-to-fork"),
        ("ada", "POST {waiting}/forks", {}, 409, "nothing-to-fork"),
        ("eve", "POST {private}/forks", {}, 404, "no-such-game"),
        ("eve", "POST {over}/rematch", {}, 403, "not-seated"),
        ("ada", "POST {waiting}/rematch", {}, 409, "game-not-over"),
        ("ada", "POST {cancelled}/rematch", {}, 409, "game-not-over"),
        ("over", "POST {over}/rematch", {"more": 1}, 400, "/more"),
        ("ada", "POST {table}/hints", {}, 403, "game-not-over"),
        ("ada", "POST {table}/analysis", {}, 403, "game-not-over"),
        ("over", "POST {over}/hints", {}, 409, "no-decision"),
        ("ada", "POST {over}/hints?at=100000", {}, 412, "game-went-back"),
    ],
    "links and invitations": [
        ("eve", "POST {table}/board-links", None, 403, "not-seated"),
        ("bob", "POST {table}/board-links?as=0", None, 403, "not-your-seat"),
        ("eve", "POST {waiting}/invitations", {"link": True}, 403, "not-seated"),
        ("eve", "GET {waiting}/invitations", None, 403, "not-seated"),
        ("ada", "POST {table}/invitations", {"link": True}, 409, "game-not-open"),
        ("ada", "POST {waiting}/invitations", {"player": "pl_ada"}, 404, "no-such-player"),
        ("ada", "DELETE {waiting}/invitations/in_0", None, 404, "no-such-invitation"),
        ("ada", "POST {link}/seat", None, 409, "already-seated"),
        ("stranger", "POST {link}/seat", None, 400, "/name"),
        ("stranger", "POST {link}/seat", {"name": " "}, 400, "/name"),
        ("seat", "POST {link}/seat", {"name": "Zoë"}, 403, "seat-token"),
        *(("stranger", f"{asked}", None, 404, "no-such-invitation") for asked in (
            "GET /v1/invitations/{none}", "GET /v1/invitations/{none}/qr.svg", "POST /v1/invitations/{none}/seat")),
        *(("stranger", f"{method} /v1/mail/{kind}/{ticket}", None, 404, "no-such-link") for method in ("GET", "POST")
          for kind in ("confirm", "unsubscribe") for ticket in ("a", "a" * 100, "%00", "é")),
    ],
    "accounts": [
        ("ada", "GET /v1/me/mail", None, 404, "no-mail"),
        ("bob", "DELETE /v1/me/tokens/{token}", None, 404, "no-such-token"),
        ("ada", "DELETE /v1/me/push-subscriptions/ps_1", None, 404, "no-such-subscription"),
        *(("bob", f"{method} {hook}{what}", {} if method[0] == "P" else None, 404, "no-such-webhook")
          for hook in ("{hook}", "/v1/webhooks/x") for method, what in (
              ("GET", ""), ("GET", "/deliveries"), ("PATCH", ""), ("DELETE", ""), ("POST", "/secret"),
              ("POST", "/test"), ("POST", "/deliveries/1/redeliver"))),
        ("ada", "POST {hook}/deliveries/3/redeliver", {}, 404, "no-such-delivery"),
        ("ada", "GET {hook}/deliveries?cursor=w6k=", None, 400, "?cursor"),
        *((who, "POST /v1/me/tokens", {"scopes": ["admin"]}, status, code) for who, status, code in (
            ("both", 400, "/scopes/0"), ("operator", 403, "scope-missing"))),
    ],
    "operators": [
        ("ada", "POST /v1/admin/games/{private_id}/acts", REPLACE, 403, "scope-missing"),
        ("eve", "POST /v1/admin/games/{private_id}/acts", REPLACE, 404, "no-such-game"),
        ("operator", "POST /v1/admin/games/{table_id}/acts", REPLACE | {"seat": 9}, 409, "no-such-seat"),
        ("operator", "POST /v1/admin/games/{table_id}/acts", {"act": "abort"}, 400, "/reason"),
        ("operator", "POST /v1/admin/games/{over_id}/acts", {"act": "abort", "reason": "x"}, 409, "game-not-active"),
        ("operator", "POST /v1/admin/games/gm_none/acts", {"act": "abort", "reason": "x"}, 404, "no-such-game"),
        ("operator", "GET /v1/admin/log?cursor=IGdtXzE=", None, 400, "?cursor"),
        *(("operator", f"GET {{private}}{what}", None, 404, "no-such-game") for what in ("", "/view", "/events")),
    ],
}  # fmt: skip
"""By resource: who sends what, and the status and the code; or the pointer of the fault, and its code."""

READ, PLAY, CREATE = "games:read", "games:play", "games:create"
WHOLE = f"{READ} {PLAY} {CREATE} webhooks"

SCOPES = {
    "": "show_me list_tokens take_seat_by_link verify_receipt",
    READ: "list_games show_game show_audit show_board show_scene show_view list_events export list_legal_actions "
          "list_phrases show_plan show_analysis show_luck analyse give_hint create_board_link prove_inclusion "
          "list_invitations list_my_events list_my_games list_my_invitations create_stream_ticket show_daily show_card "
          "show_tournament",
    PLAY: "act claim propose vote resign open_seed say_phrase put_plan remove_plan take_seat leave_seat hand_over_seat "
          "cancel_game invite end_invitation meet_again enter_tournament withdraw_from_tournament",
    CREATE: "create_game",
    f"{READ} {CREATE}": "fork_game",
    f"{CREATE} {PLAY}": "open_deal",
    WHOLE: "create_seat_token create_token revoke_token change_me delete_me export_me show_mail set_up_mail end_mail "
           "list_push_subscriptions subscribe_push end_push_subscription",
    "webhooks": "create_webhook list_webhooks show_webhook change_webhook delete_webhook list_webhook_deliveries "
                "redeliver rotate_webhook_secret try_webhook",
    "tournaments": "create_tournament act_as_director",
    "admin": "act_as_operator list_admin_log",
}  # fmt: skip
"""By the scopes that a token must have, the operations that take tokens."""

UNPROMISED = ("show_analysis", "prove_inclusion", "list_phrases")
"""Operations whose refusal for a scope the document does not promise."""

CLOSED_TO_SEATS = (
    "create_game fork_game take_seat meet_again invite end_invitation list_invitations list_my_events list_my_games "
    "list_my_invitations show_me list_tokens list_admin_log create_seat_token create_token revoke_token change_me "
    "delete_me export_me show_mail set_up_mail end_mail list_push_subscriptions subscribe_push end_push_subscription "
    f"enter_tournament withdraw_from_tournament {SCOPES['tournaments']} {SCOPES['webhooks']}"
)
"""What the token of one seat opens for nobody, even at its own game."""
