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
 * @phpstan-import-type RetentionView from Types
 * @phpstan-import-type SetRetentionBody from Types
 */
final class Retention
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Get how long leads are kept.
     *
     * Of the account, in both environments. With `days` it is told what keeping leads for so long would erase now; nothing is erased by asking.
     *
     * @param int|null $days A number of days to try.
     * @return RetentionView
     * @throws ShingleException
     */
    public function get(?int $days = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/retention', query: ['days' => $days]), $options);
    }

    /**
     * Set how long leads are kept.
     *
     * Older leads are erased by themselves, with their evidence of consent. It acts a day later, so that what it will erase can be seen before; a longer time than before acts at once.
     *
     * @param SetRetentionBody $body
     * @return RetentionView
     * @throws ShingleException
     */
    public function set(array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PUT', '/api/v1/retention', json: $body, objects: ['']), $options);
    }
}
