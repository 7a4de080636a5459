<?php

declare(strict_types=1);

namespace Shingle\Client;

/** Sends one request. An implementation of one's own can wrap any HTTP client; it must not follow redirects. */
interface Transport
{
    /**
     * @throws ConnectionFailedException if there is no answer
     */
    public function send(Request $request): Response;
}
