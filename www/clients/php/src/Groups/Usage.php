<?php

// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

declare(strict_types=1);

namespace Shingle\Client\Groups;

use Shingle\Client\Call;
use Shingle\Client\Http;
use Shingle\Client\RequestOptions;
use Shingle\Client\ShingleException;
use Shingle\Client\Types;

/**
 * @phpstan-import-type UsageReport from Types
 */
final class Usage
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * What the look-ups come to.
     *
     * Calls, billed calls and amounts by day, key and product, in the environment of this key; amounts are whole cents. What was credited to the account, less what was taken from the balance on all days, is the balance. With `Accept: text/csv` the lines come as a table.
     *
     * @param string|null $from The first day, in UTC; by default the first of the month of `to`.
     * @param string|null $to The last day, in UTC, at most 365 days after `from`; by default today.
     * @return UsageReport
     * @throws ShingleException
     */
    public function get(?string $from = null, ?string $to = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/usage', query: ['from' => $from, 'to' => $to]), $options);
    }
}
