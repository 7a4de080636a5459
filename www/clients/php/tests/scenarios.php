<?php

// What the client makes of the answers of a faulty server: php scenarios.php URL curl|stream

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Shingle\Client\ApiException;
use Shingle\Client\CurlTransport;
use Shingle\Client\RateLimitException;
use Shingle\Client\RequestOptions;
use Shingle\Client\Shingle;
use Shingle\Client\ShingleException;
use Shingle\Client\StreamTransport;

$webhook = ['name' => 'CRM', 'url' => 'https://example.com/', 'events' => ['lead.created']];
$once = new RequestOptions(maxRetries: 0);
$scenarios = [
    'busy' => fn (Shingle $of) => $of->leads->list(),
    'busy-date' => fn (Shingle $of) => $of->leads->list(),
    'busy-post' => fn (Shingle $of) => $of->people->erase(['email' => 'a@example.com']),
    'busy-long' => fn (Shingle $of) => $of->leads->list(),
    'fault' => fn (Shingle $of) => $of->leads->list(),
    'fault-post-keyed' => fn (Shingle $of) => $of->webhooks->create($webhook),
    'own-key' => fn (Shingle $of) => $of->webhooks->create($webhook, idempotencyKey: 'mine'),
    'fault-post' => fn (Shingle $of) => $of->people->erase(['email' => 'a@example.com']),
    'fault-patch' => fn (Shingle $of) => $of->leads->update('1', ['status' => 'won']),
    'fault-forever' => fn (Shingle $of) => $of->leads->list(options: new RequestOptions(maxRetries: 1)),
    'broken' => fn (Shingle $of) => $of->leads->list(),
    'broken-post' => fn (Shingle $of) => $of->people->erase(['email' => 'a@example.com']),
    'silent' => fn (Shingle $of) => $of->leads->list(options: new RequestOptions(timeout: 0.2, maxRetries: 0)),
    'html' => fn (Shingle $of) => $of->leads->list(options: $once),
    'not-json' => fn (Shingle $of) => $of->leads->list(options: $once),
    'redirect' => fn (Shingle $of) => $of->leads->list(),
    'rules' => fn (Shingle $of) => $of->leads->list(),
    'pages' => fn (Shingle $of) => array_column(iterator_to_array($of->leads->listAll(status: 'new', limit: 2), false), 'id'),
    'words' => fn (Shingle $of) => $of->lookUp->roofEstimate('14 Ñandú "Ct" & 5%+', include: ['match', 'range'], installedPrice: 650.5)['notes'],
    'empty-object' => fn (Shingle $of) => $of->widgets->replaceSettings('1', ['prices' => [], 'priceIncludes' => []]),
    'empty-id' => fn (Shingle $of) => $of->leads->erase(''),
    'dot-id' => fn (Shingle $of) => $of->leads->erase('..'),
    'slash-id' => fn (Shingle $of) => $of->leads->get('a/b?c'),
];

$transport = $argv[2] === 'curl' ? new CurlTransport() : new StreamTransport();
$results = [];
foreach ($scenarios as $name => $run) {
    $client = new Shingle("{$argv[1]}/$name/", " sandbox_key\n", transport: $transport);
    if (str_contains(print_r($client, true), 'sandbox_key')) {
        throw new LogicException('the key is shown');
    }
    try {
        $results[$name] = ['answer' => $run($client)];
    } catch (ShingleException $error) {
        $said = ['error' => preg_replace('/^.*\\\\(\w*)Exception$/', '$1', $error::class)];
        if ($error instanceof ApiException) {
            $said += ['status' => $error->status, 'messages' => $error->messages, 'hasBody' => $error->body !== null, 'requestId' => $error->requestId];
        }
        if ($error instanceof RateLimitException) {
            $said['retryAfter'] = $error->retryAfter;
        }
        $results[$name] = $said;
    }
}
echo json_encode($results, JSON_THROW_ON_ERROR);
