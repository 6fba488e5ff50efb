"""Attack: a player who talks by their name in a hand in which players must not talk."""

from tests.support.people import assert_limited, limited


def test_what_others_see_of_a_player_changes_a_few_times_a_day(redis_url: str) -> None:
    with limited(redis_url, {"renames": 2}) as server:
        ada = server.newcomer("Ada")
        assert ada.patch("/v1/me", {"name": "Ada 1"}).status_code == 200
        for unseen in ({"name": "Ada 1"}, {"language": "fr"}, {"shows": {"games": False}}):
            assert ada.patch("/v1/me", unseen).status_code == 200
        assert ada.patch("/v1/me", {"shows": {"language": True}}).status_code == 200
        for seen in ({"name": "Ada 2"}, {"language": "en"}, {"shows": {"seen": True}}):
            assert_limited(ada.patch("/v1/me", seen), "renames")
        assert ada.patch("/v1/me", {"time_zone": "Europe/Paris"}).status_code == 200
        me = ada.get("/v1/me").json
        assert (me["name"], me["language"], me["shows"]["seen"]) == ("Ada 1", "fr", False)
