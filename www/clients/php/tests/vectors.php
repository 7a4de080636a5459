<?php

// Says of each request in a file whether it is accepted: php vectors.php FILE

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Shingle\Client\Webhook;
use Shingle\Client\WebhookVerificationException;

$said = [];
foreach (json_decode(file_get_contents($argv[1]), true) as $given) {
    try {
        $event = Webhook::verify($given['body'], $given['headers'], $given['secret'], now: $given['now'] ?? null);
        $server = [];
        foreach ($given['headers'] as $name => $value) {
            $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
        }
        $same = Webhook::verify($given['body'], $server, $given['secret'], now: $given['now'] ?? null);
        $said[] = $event === $same ? 'accepted' : 'two kinds of headers differ';
    } catch (WebhookVerificationException) {
        $said[] = 'refused';
    }
}
echo json_encode($said);
