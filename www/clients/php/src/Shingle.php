<?php

declare(strict_types=1);

namespace Shingle\Client;

/** The API of one Shingle server, with one key. */
final class Shingle extends Groups
{
    /**
     * @param string $baseUrl Where the service is, such as `https://quotes.example.com`
     * @param string $key A key of `shingle key issue`
     * @param float $timeout Seconds until an attempt is given up
     * @param int $maxRetries How often a request is sent again at most
     * @param float $maxRetryDelay A `Retry-After` longer than so many seconds is an error at once
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string $key,
        float $timeout = 30.0,
        int $maxRetries = 2,
        float $maxRetryDelay = 60.0,
        ?Transport $transport = null,
    ) {
        $transport ??= extension_loaded('curl') ? new CurlTransport() : new StreamTransport();
        parent::__construct(new Http($baseUrl, $key, $timeout, $maxRetries, $maxRetryDelay, $transport));
    }
}
