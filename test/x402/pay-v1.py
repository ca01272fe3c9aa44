"""Pays for one booking with the Python client of version 1, unmodified, and prints the answer."""

import json
import os
import sys

from eth_account import Account
from x402.clients.requests import x402_requests

account = Account.from_key(os.environ["WALLET_KEY"])
with x402_requests(account, max_value=20_000_000) as session:
    response = session.post(sys.argv[1], json=json.loads(sys.argv[2]))
print(json.dumps({"status": response.status_code, "body": response.json()}))
