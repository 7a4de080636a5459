<?php

declare(strict_types=1);

namespace Shingle\Client;

/**
 * Webhooks are signed as the Standard Webhooks specification says, with a secret that both sides have.
 *
 * @phpstan-import-type LeadCreatedEvent from Types
 * @phpstan-import-type LeadUpdatedEvent from Types
 * @phpstan-import-type WidgetCreatedEvent from Types
 * @phpstan-import-type WidgetUpdatedEvent from Types
 * @phpstan-type PingEvent array{id: string, type: 'ping', timestamp: string, apiVersion: string, data: array{id: string}}
 * @phpstan-type WebhookEvent LeadCreatedEvent|LeadUpdatedEvent|WidgetCreatedEvent|WidgetUpdatedEvent|PingEvent
 */
final class Webhook
{
    /**
     * The event of a webhook's request.
     *
     * @param string $body The body as it arrived, of `file_get_contents('php://input')`: not parsed, not written anew
     * @param array<string, mixed> $headers Of `getallheaders()`, of a framework, or `$_SERVER`
     * @param string|list<string> $secret What `webhooks->create` returned; after `rotateSecret`, a list of both works too
     * @param int $tolerance How many seconds a request may be old
     * @return WebhookEvent
     * @throws WebhookVerificationException if the request does not come from your server
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
            throw new WebhookVerificationException('webhook-timestamp is not a time');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookVerificationException('webhook-timestamp is too far from now');
        }
        foreach ((array) $secret as $one) {
            $one = trim($one);
            $key = str_starts_with($one, 'whsec_') ? base64_decode(substr($one, 6), true) : false;
            if ($key === false || strlen($key) < 24) {
                throw new WebhookVerificationException('a secret begins with whsec_ and is followed by base64');
            }
            $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $signatures) as $given) {
                if (hash_equals($wanted, $given)) {
                    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
                }
            }
        }
        throw new WebhookVerificationException('no signature of the request fits the secret');
    }

    /** @param array<string, mixed> $headers */
    private static function header(array $headers, string $name): string
    {
        $wanted = [$name, 'http_' . str_replace('-', '_', $name)];
        foreach ($headers as $other => $value) {
            $value = is_array($value) ? ($value[0] ?? '') : $value;
            if (in_array(strtolower((string) $other), $wanted, true) && is_string($value) && $value !== '') {
                return $value;
            }
        }
        throw new WebhookVerificationException("the request has no $name");
    }
}
