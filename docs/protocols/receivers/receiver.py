# Receives webhooks, verifies each, and signs the challenge. Python 3.9 or newer, no packages.
#   WEBHOOK_SECRET=whsec_… PORT=8090 python3 receiver.py
# While a secret is being changed, list both, separated by a space.
import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 300
MOST_BYTES = 1_000_000
keys = [
    base64.b64decode(secret.removeprefix("whsec_") + "==")
    for secret in os.environ.get("WEBHOOK_SECRET", "").split()
]
if not keys:
    raise SystemExit("Set WEBHOOK_SECRET to the secret that was shown.")

# Each event arrives at least once. Use a database table instead, with the id as its key.
stored = {}
lock = threading.Lock()


def signatures_of(headers, content):
    """Standard Webhooks: signs the content with each of our keys."""
    prefix = f"{headers.get('webhook-id', '')}.{headers.get('webhook-timestamp', '')}."
    signed = prefix.encode() + content
    macs = [hmac.digest(key, signed, hashlib.sha256) for key in keys]
    return [b"v1," + base64.b64encode(mac) for mac in macs]


def is_signed(headers, body):
    """One signature over the raw bytes, with one of our keys, is enough."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    given = headers.get("webhook-signature", "").encode().split(b" ")
    for expected in signatures_of(headers, body):
        if any(hmac.compare_digest(expected, signature) for signature in given):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # Nothing was answered, so the delivery is retried.

    def answer(self, status, text=""):
        self.send_response(status)
        if status == 401:
            self.send_header("connection", "close")
        if status != 204:
            self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def body(self):
        """The whole raw body; None if its length is missing or larger than any delivery."""
        length = self.headers.get("content-length", "0")
        if not re.fullmatch("[0-9]{1,7}", length) or int(length) > MOST_BYTES:
            return None
        return self.rfile.read(int(length))

    def do_POST(self):
        body = self.body()
        if body is None or not is_signed(self.headers, body):
            print("refused", flush=True)
            return self.answer(401)
        event = json.loads(body)
        if event["type"] == "endpoint.challenge":
            print("challenged", flush=True)
            challenge = event["data"]["challenge"].encode()
            return self.answer(200, b" ".join(signatures_of(self.headers, challenge)).decode())
        # Store, answer within 15 s, then process: an answered delivery is not sent again.
        with lock:
            is_new = event["id"] not in stored
            stored[event["id"]] = event
        self.answer(204)
        if is_new:
            line = f"verified {event['type']} {event['id']} {event['sequence']}\n"
            print(line, end="", flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8090))), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
