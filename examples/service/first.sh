#!/bin/sh
# A model over HTTP with curl: made, asked, told what became of it, asked again.
#
#   export TARRY_TOKEN=$(tarry token add first --data data --scope admin,decide,feedback,read)
#   tarry serve --data data &
#   examples/service/first.sh [http://127.0.0.1:8080]
#
# A service that runs with --without-tokens needs no TARRY_TOKEN.
set -eu
service=${1:-http://127.0.0.1:8080}

ask() {  # METHOD PATH [BODY [HEADER]]
  curl --silent --show-error --fail-with-body -X "$1" "$service$2" \
    ${TARRY_TOKEN:+-H "Authorization: Bearer $TARRY_TOKEN"} \
    ${3:+-H "Content-Type: application/json" --data "$3"} ${4:+-H "$4"}
  echo
}

echo "A model that says how likely an order comes back:"
ask PUT /v1/models/returns '{"task": "binary", "expiry": {"seconds": 2592000, "then": {"label": false}}}'

echo "An order. The header makes it safe to send again: it opens one round, however often it comes."
decided=$(ask POST /v1/models/returns/decisions '{"features": {"article": "shoes", "price": 80}, "key": "order-17"}' \
  'Idempotency-Key: first-order-17')
echo "$decided"
ask POST /v1/models/returns/decisions '{"features": {"article": "shoes", "price": 80}, "key": "order-17"}' \
  'Idempotency-Key: first-order-17'

echo "Days later it came back. Feedback names the ticket, or the model and your own key:"
ticket=$(echo "$decided" | sed 's/.*"ticket": *"\([^"]*\)".*/\1/')
ask POST /v1/feedback "{\"ticket\": \"$ticket\", \"label\": true}"

echo "Sent again, it is not learnt again:"
ask POST /v1/feedback '{"model": "returns", "key": "order-17", "label": true}'

echo "What it would say of such an order now; this opens no round:"
ask POST /v1/models/returns/predict '{"features": {"article": "shoes", "price": 80}}'

echo "Many at once, decisions and feedback:"
ask POST /v1/models/returns/decisions '{"requests": [{"features": {"article": "book", "price": 20}, "key": "order-18"},
  {"features": {"article": "book", "price": 15}, "key": "order-19"}]}'
ask POST /v1/feedback '[{"model": "returns", "key": "order-18", "label": false}, {"model": "returns", "key": "order-19", "void": true}]'

echo "What the model knows:"
ask GET /v1/models/returns
