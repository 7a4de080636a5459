<?php

declare(strict_types=1);

namespace Shingle\Client;

/**
 * The server's answer is an error.
 *
 * @phpstan-import-type ErrorBody from Types
 */
class ApiException extends ShingleException
{
    /** One sentence for each broken rule. @var list<string> */
    public readonly array $messages;

    /**
     * @param ErrorBody|null $body The error as the server sent it; null if something on the way answered in its place, such as a proxy
     * @param string|null $requestId The request in the server's log
     * @param float|null $retryAfter Seconds to wait, if the server said so
     */
    final public function __construct(
        public readonly int $status,
        public readonly ?array $body,
        string $text,
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfter = null,
    ) {
        $this->messages = $body === null ? [$text] : (array) $body['message'];
        parent::__construct($status . ': ' . implode('; ', $this->messages), $status);
    }

    /**
     * The exception of an answer.
     *
     * @internal
     */
    public static function of(Response $response): self
    {
        $class = match (true) {
            $response->status === 400 => BadRequestException::class,
            $response->status === 401 => UnauthorizedException::class,
            $response->status === 403 => ForbiddenException::class,
            $response->status === 404 => NotFoundException::class,
            $response->status === 409 => ConflictException::class,
            $response->status === 429 => RateLimitException::class,
            $response->status >= 500 => ServerException::class,
            default => self::class,
        };
        $location = $response->header('location');
        $text = $location === null
            ? (trim(substr($response->body, 0, 200)) ?: 'no text')
            : "the server redirects to $location: make that the base URL";
        return new $class(
            $response->status,
            self::parsed($response->body),
            $text,
            $response->header('x-request-id'),
            self::seconds($response->header('retry-after')),
        );
    }

    /** Seconds of `Retry-After`, which is a number or a date. */
    private static function seconds(?string $retryAfter): ?float
    {
        if ($retryAfter === null) {
            return null;
        }
        if (ctype_digit($retryAfter)) {
            return (float) $retryAfter;
        }
        $time = strtotime($retryAfter);
        return $time === false ? null : (float) max(0, $time - time());
    }

    /** @return ErrorBody|null */
    private static function parsed(string $text): ?array
    {
        $body = json_decode($text, true);
        $isError = is_array($body)
            && (is_string($body['message'] ?? null) || is_array($body['message'] ?? null))
            && is_string($body['error'] ?? null)
            && is_int($body['statusCode'] ?? null);
        return $isError ? $body : null;
    }
}
