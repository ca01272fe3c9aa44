#!/bin/sh
# Verifies one stored request: its raw body on standard input, byte for byte.
#   WEBHOOK_SECRET=whsec_… sh verify.sh WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < body
# Needs openssl. Without WEBHOOK_SIGNATURE, prints the signature to send with curl.
set -euf
id=$1 timestamp=$2 given=${3-}
# Checked first, because shells evaluate what is in $(( )).
case $timestamp in '' | 0* | *[!0-9]*)
  echo 'not a timestamp'
  exit 1
  ;;
esac
secret=${WEBHOOK_SECRET#whsec_}
while [ $((${#secret} % 4)) -ne 0 ]; do secret="$secret="; done
key=$(printf '%s' "$secret" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
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
