<?php

declare(strict_types=1);

namespace Shingle\Client;

/** A request as a transport sends it. */
final class Request
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout Seconds
     * @param bool $mayRepeat Whether it does no harm to send it twice
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeout,
        public readonly bool $mayRepeat,
    ) {
    }
}
