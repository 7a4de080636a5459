<?php

declare(strict_types=1);

namespace Shingle\Client;

/** Needs the extension curl; keeps its connection. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;

    /** @param array<int, mixed> $options More options of curl, such as a proxy */
    public function __construct(private readonly array $options = [])
    {
    }

    public function send(Request $request): Response
    {
        $handle = $this->handle ??= curl_init();
        curl_reset($handle);
        $headers = [];
        $lines = [];
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        // Without it curl waits a second before it sends a large body.
        $lines[] = 'expect:';
        curl_setopt_array($handle, $this->options + [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            // When a connection that was kept turns out to be broken, curl sends the request again on its own.
            CURLOPT_FRESH_CONNECT => !$request->mayRepeat,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) max(1, $request->timeout * 1000),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$headers): int {
                $parts = explode(':', $line, 2);
                if (str_starts_with($line, 'HTTP/')) {
                    // A proxy's own answer comes before.
                    $headers = [];
                } elseif (count($parts) === 2) {
                    $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
                }
                return strlen($line);
            },
        ]);
        if ($request->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $request->body);
        }
        $body = curl_exec($handle);
        if (!is_string($body)) {
            $reason = curl_error($handle);
            if (curl_errno($handle) === CURLE_OPERATION_TIMEDOUT) {
                throw new TimedOutException("no answer in {$request->timeout} seconds: $reason");
            }
            throw new ConnectionFailedException("no answer: $reason");
        }
        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }
}
