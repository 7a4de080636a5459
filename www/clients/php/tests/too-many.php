<?php

// What the client says when the server has had too many requests: php too-many.php URL KEY curl|stream

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Shingle\Client\CurlTransport;
use Shingle\Client\RateLimitException;
use Shingle\Client\Shingle;
use Shingle\Client\StreamTransport;

$transport = $argv[3] === 'curl' ? new CurlTransport() : new StreamTransport();
$shingle = new Shingle($argv[1], $argv[2], maxRetryDelay: 0, transport: $transport);
try {
    for ($n = 0; $n < 100; $n++) {
        $shingle->leads->list();
    }
} catch (RateLimitException $error) {
    echo json_encode(['error' => 'RateLimit', 'retryAfter' => $error->retryAfter, 'message' => $error->getMessage()]);
}
