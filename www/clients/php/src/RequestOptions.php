<?php

declare(strict_types=1);

namespace Shingle\Client;

/** What one request may have in place of the client's own. */
final class RequestOptions
{
    /**
     * @param float|null $timeout Seconds
     */
    public function __construct(public readonly ?float $timeout = null, public readonly ?int $maxRetries = null)
    {
    }
}
