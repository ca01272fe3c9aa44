"""Books with a client that openapi-python-client generated; prints what it got as JSON."""

import json
import os
import uuid

from network import AuthenticatedClient
from network.api.booking import booking_confirm, booking_get, booking_search
from network.models import BookingConfirmBody, CompactBookingSearchAnswer, Refusal

client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"], timeout=60)

search = booking_search.sync(client=client, q="Angin Laut Sushi", party_size=2)
assert isinstance(search, CompactBookingSearchAnswer), search
venue = search.venues[0]
day = venue.availability.days[0]

slot_time = f"{day.date}T{day.times[0]}"
body = BookingConfirmBody(venue_id=str(venue.id), slot_time=slot_time, party_size=2)
key = str(uuid.uuid4())
answer = booking_confirm.sync(client=client, body=body, idempotency_key=key, prefer="wait=30")
missing = booking_get.sync(id=uuid.uuid4(), client=client)
assert isinstance(missing, Refusal), missing

booking = answer.booking
refusal = missing.code.value
print(json.dumps({"id": str(booking.id), "status": booking.status.value, "refusal": refusal}))
