"""What the demo makes of refusals."""

from billet.demo.server import Refused


def test_a_refusal_says_everything_that_is_wrong():
    faults = [{"field": "seats", "detail": "Too many."}, {"field": "", "detail": "Odd."}]
    refused = Refused(422, {"detail": "The body is not valid.", "errors": faults})
    assert str(refused) == "The body is not valid. seats: Too many. /: Odd."
    assert str(Refused(418, {})) == "HTTP 418"
