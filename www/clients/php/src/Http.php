<?php

declare(strict_types=1);

namespace Shingle\Client;

/**
 * Requests and their answers: addresses, timeouts, and which request may be sent again.
 *
 * @internal
 */
final class Http
{
    private const LONGEST_STEP = 8.0;
    private const BUSY = [429, 503];
    private const FAULT = [408, 500, 502, 504];

    private readonly string $base;
    private readonly string $key;

    public function __construct(
        string $baseUrl,
        string $key,
        private readonly float $timeout,
        private readonly int $maxRetries,
        private readonly float $maxRetryDelay,
        private readonly Transport $transport,
    ) {
        if (!preg_match('~^https?://[^/?#\s]+[^?#\s]*~', trim($baseUrl), $found)) {
            throw new ShingleException("baseUrl must be an address like https://quotes.example.com, not $baseUrl");
        }
        $this->base = rtrim($found[0], '/');
        $this->key = trim($key);
        if (!preg_match('/^[!-~]+$/D', $this->key)) {
            throw new ShingleException('key must be the text that `shingle key issue` printed');
        }
    }

    /** @return array<mixed> */
    public function json(Call $call, ?RequestOptions $options): array
    {
        $answer = json_decode($this->text($call, $options), true);
        if (!is_array($answer)) {
            throw new ConnectionFailedException("the answer of {$this->base}{$call->path} is not JSON");
        }
        return $answer;
    }

    public function text(Call $call, ?RequestOptions $options): string
    {
        [$body, $type] = $call->body();
        $headers = ['token' => $this->key, 'accept' => $call->accept, 'user-agent' => 'shingle-php/' . Version::TEXT];
        if ($type !== null) {
            $headers['content-type'] = $type;
        }
        if ($call->takesIdempotencyKey) {
            // The same for each attempt.
            $headers['idempotency-key'] = $call->idempotencyKey ?? bin2hex(random_bytes(16));
        }
        // After a lost answer nobody knows whether the request had its effect.
        $mayRepeat = in_array($call->method, ['GET', 'PUT'], true) || $call->takesIdempotencyKey;
        $url = $this->base . $call->path . $call->query();
        $request = new Request($call->method, $url, $headers, $body, $options?->timeout ?? $this->timeout, $mayRepeat);
        $retries = $options?->maxRetries ?? $this->maxRetries;
        for ($attempt = 0; ; $attempt++) {
            $wait = min(self::LONGEST_STEP, 0.5 * 2 ** $attempt) * random_int(500, 1000) / 1000;
            try {
                $response = $this->transport->send($request);
                if ($response->status >= 200 && $response->status < 300) {
                    return $response->body;
                }
                $failure = ApiException::of($response);
                $wait = max($wait, $failure->retryAfter ?? 0.0);
                $isWorthIt = in_array($failure->status, self::BUSY, true)
                    || ($mayRepeat && in_array($failure->status, self::FAULT, true));
            } catch (ConnectionFailedException $failure) {
                $isWorthIt = $mayRepeat;
            }
            if ($attempt >= $retries || !$isWorthIt || $wait > $this->maxRetryDelay) {
                throw $failure;
            }
            usleep((int) ($wait * 1_000_000));
        }
    }

    /** Not the key. @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['base' => $this->base];
    }
}
