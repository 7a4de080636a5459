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
 * @phpstan-import-type DeliveryView from Types
 * @phpstan-import-type Started from Types
 */
final class Deliveries
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Get a delivery.
     *
     * With every attempt: what was sent, without secrets, and what came back.
     *
     * @return DeliveryView
     * @throws ShingleException
     */
    public function get(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/deliveries/' . Call::segment('id', $id)), $options);
    }

    /**
     * Send a delivery again.
     *
     * As a delivery of its own, with the same event.
     *
     * @return Started
     * @throws ShingleException
     */
    public function replay(string $id, ?string $idempotencyKey = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/deliveries/' . Call::segment('id', $id) . '/replay', takesIdempotencyKey: true, idempotencyKey: $idempotencyKey), $options);
    }
}
