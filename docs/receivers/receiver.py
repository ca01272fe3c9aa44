# Receives webhooks, verifies each, and answers the challenge. Python 3.9 or newer, no packages.
#   WEBHOOK_SECRET=whsec_… PORT=8090 python3 receiver.py
# During a change of secrets, give both, separated by a space.
import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 300
keys = [
    base64.b64decode(secret.removeprefix("whsec_") + "==")
    for secret in os.environ.get("WEBHOOK_SECRET", "").split()
]
if not keys:
    raise SystemExit("Set WEBHOOK_SECRET to the secret that was shown.")

# Events that arrived before: each comes at least once. Yours belong into your database.
seen = set()
lock = threading.Lock()


def is_signed(headers, body):
    """Standard Webhooks: any signature made with any of our keys, over the bytes as they came."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    given = headers.get("webhook-signature", "").encode().split(b" ")
    for key in keys:
        expected = b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
        if any(hmac.compare_digest(expected, signature) for signature in given):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, text=""):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.headers, body):
            print("refused", flush=True)
            return self.answer(401)
        event = json.loads(body)
        if event["type"] == "endpoint.challenge":
            print("challenged", flush=True)
            return self.answer(200, event["data"]["challenge"])
        # Answer first, work afterwards: whoever takes longer than 15 s is asked again.
        self.answer(204)
        with lock:
            if event["id"] in seen:
                return
            seen.add(event["id"])
        line = f"verified {event['type']} {event['id']} {event['sequence']}\n"
        print(line, end="", flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8090))), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
