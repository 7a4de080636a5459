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
 * @phpstan-import-type CreateDestinationBody from Types
 * @phpstan-import-type DeliveryList from Types
 * @phpstan-import-type DeliveryView from Types
 * @phpstan-import-type DestinationView from Types
 * @phpstan-import-type ReplayDestinationBody from Types
 * @phpstan-import-type Replayed from Types
 * @phpstan-import-type Started from Types
 * @phpstan-import-type UpdateDestinationBody from Types
 */
final class Destinations
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Set a connector up.
     *
     * Every new lead goes there from then on.
     *
     * @param CreateDestinationBody $body
     * @return DestinationView
     * @throws ShingleException
     */
    public function create(array $body, ?string $idempotencyKey = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/destinations', json: $body, objects: ['', 'settings'], takesIdempotencyKey: true, idempotencyKey: $idempotencyKey), $options);
    }

    /**
     * List what is set up.
     *
     * Without webhooks, which have a list of their own.
     *
     * @return list<DestinationView>
     * @throws ShingleException
     */
    public function list(?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/destinations'), $options);
    }

    /**
     * Get a destination.
     *
     * The whole record, without secrets.
     *
     * @return DestinationView
     * @throws ShingleException
     */
    public function get(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/destinations/' . Call::segment('id', $id)), $options);
    }

    /**
     * Change a destination.
     *
     * What is not sent stays as it is.
     *
     * @param UpdateDestinationBody $body
     * @return DestinationView
     * @throws ShingleException
     */
    public function update(string $id, array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PATCH', '/api/v1/destinations/' . Call::segment('id', $id), json: $body, objects: ['', 'settings']), $options);
    }

    /**
     * Delete a destination.
     *
     * What is on its way to it is given up.
     *
     * @return DestinationView
     * @throws ShingleException
     */
    public function delete(string $id, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('DELETE', '/api/v1/destinations/' . Call::segment('id', $id)), $options);
    }

    /**
     * Send a test event.
     *
     * A `ping`, which nobody has to subscribe to.
     *
     * @return Started
     * @throws ShingleException
     */
    public function test(string $id, ?string $idempotencyKey = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/destinations/' . Call::segment('id', $id) . '/test', takesIdempotencyKey: true, idempotencyKey: $idempotencyKey), $options);
    }

    /**
     * List deliveries.
     *
     * The newest first, a page at a time, without their attempts.
     *
     * @param 'lead.created'|'lead.updated'|'widget.created'|'widget.updated'|null $event Only events of this kind.
     * @param 'pending'|'waiting'|'delivered'|'failed'|'skipped'|null $state Only deliveries in this state.
     * @param string|null $since Only events from this time on.
     * @param int|null $limit How many at most.
     * @param string|null $cursor `nextCursor` of the page before.
     * @return DeliveryList
     * @throws ShingleException
     */
    public function deliveries(string $id, ?string $event = null, ?string $state = null, ?string $since = null, ?int $limit = null, ?string $cursor = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/destinations/' . Call::segment('id', $id) . '/deliveries', query: ['event' => $event, 'state' => $state, 'since' => $since, 'limit' => $limit, 'cursor' => $cursor]), $options);
    }

    /**
     * Like `deliveries`: every item, of one page after the other.
     *
     * @param 'lead.created'|'lead.updated'|'widget.created'|'widget.updated'|null $event Only events of this kind.
     * @param 'pending'|'waiting'|'delivered'|'failed'|'skipped'|null $state Only deliveries in this state.
     * @param string|null $since Only events from this time on.
     * @param int|null $limit How many at most.
     * @return \Generator<int, DeliveryView>
     * @throws ShingleException
     */
    public function deliveriesAll(string $id, ?string $event = null, ?string $state = null, ?string $since = null, ?int $limit = null, ?RequestOptions $options = null): \Generator
    {
        $cursor = null;
        do {
            $page = $this->deliveries($id, event: $event, state: $state, since: $since, limit: $limit, cursor: $cursor, options: $options);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $cursor = $page['nextCursor'];
        } while ($cursor !== null);
    }

    /**
     * Send again what failed.
     *
     * Everything that failed or was skipped since a time.
     *
     * @param ReplayDestinationBody $body
     * @return Replayed
     * @throws ShingleException
     */
    public function replay(string $id, array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/destinations/' . Call::segment('id', $id) . '/replay', json: $body, objects: ['']), $options);
    }
}
