/** What a client refuses when it is made: an address that is none, and a token that is none. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Billet } from "billet-client";

const url = "http://127.0.0.1:8000";

for (const none of ["", "127.0.0.1:8000", "localhost:8000", "ws://127.0.0.1", "http://", "http://127.0.0.1:port", "/v1"]) {
  test(`refuses the address "${none}"`, () => {
    assert.throws(() => new Billet({ url: none }), { name: "TypeError", message: /is no address of a service/ });
  });
}

for (const none of ["", "SECRET\n", " SECRET", "SEC RET", "SECR\u00c9T"]) {
  test(`refuses the token ${JSON.stringify(none)} without repeating it`, () => {
    assert.throws(() => new Billet({ url, token: none }), { name: "TypeError", message: /^This is no token(?!.*SEC)/ });
  });
}

test("takes what can be called", () => {
  for (const good of [url, "https://cards.example/", "HTTPS://cards.example:8443/billet", new URL("http://[::1]:8000")])
    assert.equal(new Billet({ url: good, token: "SECRET" }).token, "SECRET");
});
