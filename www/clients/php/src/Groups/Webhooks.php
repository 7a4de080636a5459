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
 * @phpstan-import-type CreateWebhookBody from Types
 * @phpstan-import-type DeliveryList from Types
 * @phpstan-import-type DeliveryView from Types
 * @phpstan-import-type ReplayWebhookBody from Types
 * @phpstan-import-type Replayed from Types
 * @phpstan-import-type Started from Types
 * @phpstan-import-type UpdateWebhookBody from Types
 * @phpstan-import-type Webhook from Types
 */
final class Webhooks
{
    /** @internal */
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Make a webhook.
     *
     * Its address has to be public and to begin with `https://`.
     *
     * @param CreateWebhookBody $body
     * @return Webhook
     * @throws ShingleException
     */
    public function create(array $body, ?string $idempotencyKey = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/webhooks', json: $body, objects: ['', 'headers'], takesIdempotencyKey: true, idempotencyKey: $idempotencyKey), $options);
    }

    /**
     * List webhooks.
     *
     * All of them.
     *
     * @return list<Webhook>
     * @throws ShingleException
     */
    public function list(?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/webhooks'), $options);
    }

    /**
     * Get a webhook.
     *
     * The whole record, without its secret.
     *
     * @return Webhook
     * @throws ShingleException
     */
    public function get(string $webhookId, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId)), $options);
    }

    /**
     * Change a webhook.
     *
     * What is not sent stays as it is. Every mistake is one sentence about syntax.
     *
     * @param UpdateWebhookBody $body
     * @return Webhook
     * @throws ShingleException
     */
    public function update(string $webhookId, array $body = [], ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('PATCH', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId), json: $body, objects: ['', 'headers']), $options);
    }

    /**
     * Delete a webhook.
     *
     * What is on its way to it is given up.
     *
     * @return Webhook
     * @throws ShingleException
     */
    public function delete(string $webhookId, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('DELETE', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId)), $options);
    }

    /**
     * Renew the secret of a webhook.
     *
     * The old one signs beside the new one for a day.
     *
     * @return Webhook
     * @throws ShingleException
     */
    public function rotateSecret(string $webhookId, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId) . '/rotate-secret'), $options);
    }

    /**
     * Send a test event.
     *
     * A `ping`, which nobody has to subscribe to.
     *
     * @return Started
     * @throws ShingleException
     */
    public function test(string $webhookId, ?string $idempotencyKey = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId) . '/test', takesIdempotencyKey: true, idempotencyKey: $idempotencyKey), $options);
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
    public function deliveries(string $webhookId, ?string $event = null, ?string $state = null, ?string $since = null, ?int $limit = null, ?string $cursor = null, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('GET', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId) . '/deliveries', query: ['event' => $event, 'state' => $state, 'since' => $since, 'limit' => $limit, 'cursor' => $cursor]), $options);
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
    public function deliveriesAll(string $webhookId, ?string $event = null, ?string $state = null, ?string $since = null, ?int $limit = null, ?RequestOptions $options = null): \Generator
    {
        $cursor = null;
        do {
            $page = $this->deliveries($webhookId, event: $event, state: $state, since: $since, limit: $limit, cursor: $cursor, options: $options);
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
     * @param ReplayWebhookBody $body
     * @return Replayed
     * @throws ShingleException
     */
    public function replay(string $webhookId, array $body, ?RequestOptions $options = null): array
    {
        return $this->http->json(new Call('POST', '/api/v1/webhooks/' . Call::segment('webhookId', $webhookId) . '/replay', json: $body, objects: ['']), $options);
    }
}
