"""Other deals, and what they follow from: the secret, the seeds and the seals."""

from domain.chance import commitment
from tests.domain.audit.attacking import deal, forced, of_type, operator, sealed_event


@operator
def a_deal_with_the_number_765(bundle, rng):
    data = deal(bundle)["data"]
    data["deal_number" if "deal_number" in data else "hand_number"] = 765


@operator
def a_dealer_of_choice(bundle, rng):
    data = deal(bundle)["data"]
    data["dealer"] = (data["dealer"] + 1) % bundle.events[0]["data"]["seats"]


@operator
def two_hands_swapped(bundle, rng):
    one, other = deal(bundle)["data"]["hands"][:2]
    one["cards"], other["cards"] = other["cards"], one["cards"]


@operator
def two_cards_swapped(bundle, rng):
    one, other = deal(bundle)["data"]["hands"][:2]
    one["cards"][0], other["cards"][0] = other["cards"][0], one["cards"][0]


@operator
def a_hand_in_another_order(bundle, rng):
    deal(bundle)["data"]["hands"][0]["cards"].reverse()


@operator
def another_seed(bundle, rng):
    assert bundle.draws[0]
    of_type(bundle, "seat_taken")["data"]["client_seed"] = "another"


@operator
def a_seed_left_out(bundle, rng):
    assert bundle.draws[0]
    joins = [event for event in bundle.events if event["type"] == "seat_taken" and event["data"]["client_seed"]]
    joins[0]["data"]["client_seed"] = None


@operator
def another_commitment(bundle, rng):
    bundle.events[0]["data"]["commitment"] = commitment(bytes(32))


@operator
def another_secret_at_the_end(bundle, rng):
    bundle.events[-1]["data"]["secret"] = bytes(32).hex()


@operator
def another_secret_with_its_commitment(bundle, rng):
    assert bundle.draws[0]  # without draws, nothing follows from the secret and the seeds
    bundle.events[0]["data"] |= {"secret": bytes(32).hex(), "commitment": commitment(bytes(32))}
    bundle.events[-1]["data"]["secret"] = bytes(32).hex()


@operator
def a_secret_that_is_none(bundle, rng):
    bundle.events[-1]["data"]["secret"] = "secret"


@operator
def hidden_parts_that_are_not_sealed(bundle, rng):
    sealed_event(bundle)["sealed"].clear()


@operator
def a_public_part_that_is_sealed(bundle, rng):
    event = rng.choice([event for event in forced(bundle) if event["data"]])
    event["sealed"][f"/{next(iter(event['data']))}"] = ""
