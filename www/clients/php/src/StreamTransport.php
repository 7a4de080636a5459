<?php

declare(strict_types=1);

namespace Shingle\Client;

/** PHP's own streams: for a PHP without the extension curl. */
final class StreamTransport implements Transport
{
    public function send(Request $request): Response
    {
        $lines = [];
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $context = stream_context_create(['http' => [
            'method' => $request->method,
            'header' => $lines,
            'content' => $request->body ?? '',
            'timeout' => $request->timeout,
            'ignore_errors' => true,
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ]]);
        $started = microtime(true);
        $stream = @fopen($request->url, 'r', false, $context);
        $reason = error_get_last()['message'] ?? 'no reason is known';
        if ($stream === false) {
            throw $this->failure($request, $started, $reason);
        }
        $body = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        if ($body === false || $meta['timed_out']) {
            throw $this->failure($request, $started, 'the answer broke off');
        }
        $status = 0;
        $headers = [];
        foreach ($meta['wrapper_data'] ?? [] as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found)) {
                $status = (int) $found[1];
                $headers = [];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }
        if (strlen($body) < (int) ($headers['content-length'] ?? 0)) {
            throw new ConnectionFailedException('no answer: it broke off');
        }
        return new Response($status, $headers, $body);
    }

    private function failure(Request $request, float $started, string $reason): ConnectionFailedException
    {
        $class = microtime(true) - $started >= $request->timeout ? TimedOutException::class : ConnectionFailedException::class;
        return new $class("no answer: $reason");
    }
}
