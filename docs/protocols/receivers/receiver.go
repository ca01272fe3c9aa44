// Receives webhooks, verifies each, and signs the challenge. Go 1.21 or newer, no modules.
//
//	WEBHOOK_SECRET=whsec_… PORT=8090 go run receiver.go
//
// While a secret is being changed, list both, separated by a space.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 300

type event struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Sequence int64  `json:"sequence"`
	Data     struct {
		Challenge string `json:"challenge"`
	} `json:"data"`
}

var keys [][]byte

// Each event arrives at least once. Use a database table instead, with the id as its key.
var stored sync.Map

// Standard Webhooks: signs the content with each of our keys.
func signaturesOf(header http.Header, content []byte) []string {
	var signatures []string
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), header.Get("webhook-timestamp"))
		mac.Write(content)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return signatures
}

// One signature over the raw bytes, with one of our keys, is enough.
func isSigned(header http.Header, body []byte) bool {
	seconds, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	age := time.Now().Unix() - seconds
	if err != nil || age > tolerance || age < -tolerance {
		return false
	}
	for _, expected := range signaturesOf(header, body) {
		for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return true
			}
		}
	}
	return false
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	var e event
	if err != nil || !isSigned(r.Header, body) || json.Unmarshal(body, &e) != nil {
		fmt.Println("refused")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if e.Type == "endpoint.challenge" {
		fmt.Println("challenged")
		io.WriteString(w, strings.Join(signaturesOf(r.Header, []byte(e.Data.Challenge)), " "))
		return
	}
	// Store, answer within 15 s, then work: an answered delivery is not sent again.
	_, known := stored.LoadOrStore(e.ID, e)
	w.WriteHeader(http.StatusNoContent)
	if !known {
		fmt.Println("verified", e.Type, e.ID, e.Sequence)
	}
}

func main() {
	for _, secret := range strings.Fields(os.Getenv("WEBHOOK_SECRET")) {
		text := strings.TrimRight(strings.TrimPrefix(secret, "whsec_"), "=")
		key, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil {
			log.Fatal("WEBHOOK_SECRET is not base64 behind whsec_")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the secret that was shown.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8090"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
