"""Pays for one booking with the official Python client, unmodified, and prints the answer."""

import json
import os
import sys

from eth_account import Account
from x402 import x402ClientSync
from x402.http.clients import x402_requests
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client

client = x402ClientSync()
client.set_spend_controls({"max_amount_per_payment": "$20"})
register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["WALLET_KEY"])))
with x402_requests(client) as session:
    response = session.post(sys.argv[1], json=json.loads(sys.argv[2]))
print(json.dumps({"status": response.status_code, "body": response.json()}))
