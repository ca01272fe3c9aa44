#!/bin/sh
# Verifies one request that was written down: its body on standard input, as it came, byte for byte.
#   WEBHOOK_SECRET=whsec_… sh verify.sh WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < body
# Needs openssl. Prints the signature to send with curl when WEBHOOK_SIGNATURE is left out.
set -eu
id=$1 timestamp=$2 given=${3-}
key=$(printf '%s' "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=v1,$({ printf '%s.%s.' "$id" "$timestamp"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

if [ -z "$given" ]; then
  echo "$expected"
  exit
fi
age=$(($(date +%s) - timestamp))
for signature in $given; do
  [ "$signature" = "$expected" ] || continue
  [ "${age#-}" -le 300 ] || { echo "signed, but $age s ago"; exit 1; }
  echo verified
  exit
done
echo 'not signed with this secret'
exit 1
