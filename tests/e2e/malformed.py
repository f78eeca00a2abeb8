"""A fuzzer of HTTP requests with a fixed seed: bytes that are nearly right, in each of the ways that matter."""

import json

from malformed_parts import HEADERS, METHODS, NUMBERS, PATHS, SPECS, VALUES

FEATURES = {"x": 1.5, "city": "Paris", "tags": ["a", "b"], "new": True}


def request(method, path, body=b"", headers=(), version="HTTP/1.1", length=True):
    lines = [f"{method} {path} {version}", "Host: 127.0.0.1", "Content-Type: application/json", *headers]
    if length and (body or method in ("POST", "PUT")):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body


def as_json(value):
    return json.dumps(value).encode()


class Fuzzer:
    """Draws requests; `ticket` is a real one, to be misused."""

    def __init__(self, draw, ticket):
        self.draw, self.ticket = draw, ticket
        self.kinds = [
            self.noise,
            self.mutated,
            self.mutated,
            self.mutated,
            self.path,
            self.header,
            self.header,
            self.chunks,
            self.lengths,
            self.wrong_type,
            self.wrong_type,
            self.bad_number,
            self.deep,
            self.not_json,
            self.feedback,
            self.feedback,
            self.spec,
            self.many_headers,
            self.pipeline,
        ]

    def __call__(self):
        return self.draw.choice(self.kinds)()

    def valid(self):
        return self.draw.choice(
            [
                request("POST", "/v1/models/m/decisions", as_json({"features": FEATURES})),
                request(
                    "POST",
                    "/v1/models/m/decisions",
                    as_json({"requests": [{"features": FEATURES}, {"features": {"x": 2}, "key": "k"}]}),
                    [f"Idempotency-Key: fuzz-{self.draw.random()}"],
                ),
                request("POST", "/v1/models/m/predict", as_json({"features": FEATURES})),
                request("POST", "/v1/feedback", as_json({"ticket": self.ticket, "label": True})),
                request(
                    "POST",
                    "/v1/feedback",
                    as_json([{"ticket": self.ticket, "label": True}, {"model": "m", "key": "k", "label": 1}]),
                ),
                request("PUT", "/v1/models/m", as_json({"task": "binary"})),
                request("GET", "/v1/models/m"),
                request("GET", "/metrics"),
            ]
        )

    def noise(self):
        return self.draw.randbytes(self.draw.choice([1, 10, 100, 5000])) + self.draw.choice([b"", b"\r\n\r\n"])

    def mutated(self):
        text = bytearray(self.valid())
        for _ in range(self.draw.choice([1, 1, 2, 5, 20])):
            at = self.draw.randrange(len(text))
            how = self.draw.randrange(5)
            if how == 0:
                text[at] ^= 1 << self.draw.randrange(8)
            elif how == 1:
                text[at] = self.draw.randrange(256)
            elif how == 2:
                del text[at : at + self.draw.randint(1, 8)]
            elif how == 3:
                text[at:at] = self.draw.randbytes(self.draw.randint(1, 8))
            else:
                text[at:at] = text[self.draw.randrange(len(text)) :][: self.draw.randint(1, 60)]
            if not text:
                return b"\r\n"
        return bytes(text[: self.draw.randint(1, len(text))]) if self.draw.random() < 0.2 else bytes(text)

    def path(self):
        body = as_json({"features": FEATURES}) if self.draw.random() < 0.5 else b""
        version = self.draw.choice(["HTTP/1.1"] * 6 + ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""])
        method, path = self.draw.choice(METHODS), self.draw.choice(PATHS)
        if method == "DELETE" and path.startswith(("/v1/models/m", "/v1/models/%6d")):
            path = "/v1/models/other"  # the others need it
        return request(method, path, body, version=version)

    def header(self):
        headers = self.draw.sample(HEADERS, self.draw.randint(1, 3))
        return request(
            "POST", "/v1/models/m/decisions", as_json({"features": FEATURES}), headers, length=self.draw.random() < 0.7
        )

    def chunks(self):
        body = as_json({"features": FEATURES})
        whole = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        text = self.draw.choice(
            [
                whole,
                whole[:-2],
                b"FFFFFFFFFFFFFFFFF\r\n" + body,
                b"-1\r\n" + body,
                b"zz\r\n" + body,
                b"5;ext=" + b"e" * 10_000 + b"\r\n12345\r\n0\r\n\r\n",
                b"1\r\n{\r\n" * 3000 + b"0\r\n\r\n",
                b"%x\r\n%s0\r\n\r\n" % (len(body), body),
                b"0\r\nTrailer: x\r\n\r\n",
                b"0\r\n\r\n",
                b"%x\r\n%s\r\n" % (1 << 20, b" " * (1 << 20)) * 2,
            ]
        )
        extra = [f"Content-Length: {len(text)}"] if self.draw.random() < 0.3 else []
        return request("POST", "/v1/models/m/decisions", text, ["Transfer-Encoding: chunked", *extra], length=False)

    def lengths(self):
        body = as_json({"features": FEATURES})
        pairs = [
            [f"Content-Length: {len(body)}", f"Content-Length: {len(body) + 1}"],
            [f"Content-Length: {len(body)}"] * 2,
            [f"Content-Length: {len(body) * 9}"],
            ["Content-Length: 1"],
            [f"Content-Length: {len(body)}", "Transfer-Encoding: chunked"],
            [f"Content-Length: {2**33}"],
            [],
        ]
        return request("POST", "/v1/models/m/decisions", body, self.draw.choice(pairs), length=False)

    def wrong_type(self):
        path, keys = self.draw.choice(
            [
                ("/v1/models/m/decisions", ["features", "key", "requests", "x"]),
                ("/v1/models/m/predict", ["features", "x"]),
                ("/v1/feedback", ["ticket", "model", "key", "label", "gradient", "indices", "values", "void"]),
            ]
        )
        value = {key: self.draw.choice(VALUES) for key in self.draw.sample(keys, self.draw.randint(0, len(keys)))}
        return request(
            "POST", path, as_json(self.draw.choice([value, value, value, [value], self.draw.choice(VALUES)]))
        )

    def bad_number(self):
        number = self.draw.choice(NUMBERS).encode()
        return self.draw.choice(
            [
                request("POST", "/v1/models/m/decisions", b'{"features": {"x": %s}}' % number),
                request("POST", "/v1/models/m/predict", b'{"features": {"x": %s}}' % number),
                request("POST", "/v1/feedback", b'{"ticket": "%s", "label": %s}' % (self.ticket.encode(), number)),
                request(
                    "POST",
                    "/v1/feedback",
                    b'{"ticket": "%s", "indices": [%s], "values": [%s]}' % (self.ticket.encode(), number, number),
                ),
            ]
        )

    def deep(self):
        depth = self.draw.choice([20, 100, 1000, 100_000])
        opening, closing = self.draw.choice([(b"[", b"]"), (b'{"a":', b"}"), (b'{"features":', b"}")])
        text = opening * depth + b"1" + (closing * depth if self.draw.random() < 0.7 else b"")
        return request(
            *self.draw.choice(
                [("POST", "/v1/models/m/decisions"), ("POST", "/v1/feedback"), ("PUT", "/v1/models/deep")]
            ),
            text,
        )

    def not_json(self):
        text = self.draw.choice(
            [
                b"",
                b" ",
                b"{",
                b"}",
                b"nul",
                b"'x'",
                b"{}{}",
                b"{} x",
                b'{"features": {"x": 1},}',
                b"\xef\xbb\xbf{}",
                b"\xff\xfe{\x00}\x00",
                b'{"features": "\xc3\x28"}',
                b'{"features": {"\xed\xa0\x80": 1}}',
                b'{"features": {"x": 1}, "features": {"x": 2}}',
                b"\x00" * 50,
                b'{"key": "\\ud800"}',
                b"// comment\n{}",
            ]
        )
        return request(
            *self.draw.choice(
                [
                    ("POST", "/v1/models/m/decisions"),
                    ("POST", "/v1/feedback"),
                    ("PUT", "/v1/models/m"),
                    ("POST", "/v1/models/m/predict"),
                ]
            ),
            text,
        )

    def feedback(self):
        which = (
            {"ticket": self.ticket}
            if self.draw.random() < 0.7
            else {
                "model": self.draw.choice(["m", "nobody", "M", ""]),
                "key": self.draw.choice(["k", "", "no such key"]),
            }
        )
        what = self.draw.choice(
            [{"label": value} for value in VALUES]
            + [{"gradient": value} for value in VALUES]
            + [
                {},
                {"label": True, "void": True},
                {"label": True, "gradient": [1]},
                {"void": False},
                {"indices": [0]},
                {"values": [1]},
                {"label": "late"},
                {"nonsense": 1, "label": True},
            ]
        )
        item = which | what
        return request(
            "POST", "/v1/feedback", as_json([item] * self.draw.choice([0, 1, 3]) if self.draw.random() < 0.3 else item)
        )

    def spec(self):
        name = self.draw.choice(["m", "other", "UPPER", "a.b", "a" * 64, "-", "_"])
        spec = dict(self.draw.choice(SPECS))
        if self.draw.random() < 0.3:
            spec[
                self.draw.choice(["set", "learner", "loss", "features", "names", "initial", "expiry", "standardise"])
            ] = self.draw.choice(VALUES)
        return (
            request("PUT", f"/v1/models/{name}", as_json(spec))
            if self.draw.random() < 0.9
            else request("DELETE", "/v1/models/other")
        )

    def many_headers(self):
        return request("GET", "/healthz", headers=[f"X-{i}: {i}" for i in range(self.draw.choice([50, 500, 20_000]))])

    def pipeline(self):
        return b"".join(self.valid() for _ in range(self.draw.randint(2, 5))) + self.draw.choice(
            [b"", b"GET", self.noise()]
        )
