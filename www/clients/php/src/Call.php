<?php

declare(strict_types=1);

namespace Shingle\Client;

/**
 * One operation with its values.
 *
 * @internal
 */
final class Call
{
    /**
     * @param string|array<string, string>|null $address
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $json
     * @param list<string> $objects Paths of `json` at which an empty array is an object
     * @param array<string, mixed>|null $form
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly string|array|null $address = null,
        public readonly array $query = [],
        public readonly ?array $json = null,
        public readonly array $objects = [],
        public readonly ?array $form = null,
        public readonly bool $takesIdempotencyKey = false,
        public readonly ?string $idempotencyKey = null,
        public readonly string $accept = 'application/json',
    ) {
    }

    /** A path's part. An empty one or dots would name another operation. */
    public static function segment(string $name, string $value): string
    {
        if (trim($value, '.') === '') {
            throw new ShingleException("$name must be an id, not \"$value\"");
        }
        return rawurlencode($value);
    }

    public function query(): string
    {
        $all = $this->query;
        if ($this->address !== null) {
            $all += is_string($this->address) ? ['address' => $this->address] : $this->address;
        }
        $text = http_build_query(array_map(self::text(...), array_filter($all, static fn ($value) => $value !== null)));
        return $text === '' ? '' : "?$text";
    }

    /** The body and its content type. @return array{string|null, string|null} */
    public function body(): array
    {
        if ($this->json !== null) {
            $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
            try {
                return [json_encode($this->withObjects($this->json, ''), $flags), 'application/json'];
            } catch (\JsonException $cause) {
                throw new ShingleException("the body cannot be written as JSON: {$cause->getMessage()}", 0, $cause);
            }
        }
        if ($this->form === null) {
            return [null, null];
        }
        $boundary = bin2hex(random_bytes(16));
        $body = '';
        foreach ($this->form as $name => $value) {
            if ($value === null) {
                continue;
            }
            $file = $value instanceof Upload ? '; filename="' . str_replace(['"', "\r", "\n"], '_', $value->name) . '"' : '';
            $type = $value instanceof Upload ? "Content-Type: application/octet-stream\r\n" : '';
            $text = $value instanceof Upload ? $value->bytes : self::text($value);
            $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$name\"$file\r\n$type\r\n$text\r\n";
        }
        return ["$body--$boundary--\r\n", "multipart/form-data; boundary=$boundary"];
    }

    private function withObjects(mixed $value, string $at): mixed
    {
        if (!is_array($value)) {
            return $value;
        }
        if ($value === []) {
            return in_array($at, $this->objects, true) ? new \stdClass() : [];
        }
        $isList = array_is_list($value);
        foreach ($value as $name => $one) {
            $value[$name] = $this->withObjects($one, ltrim($at . '.' . ($isList ? '*' : $name), '.'));
        }
        return $value;
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', array_map(self::text(...), $value)),
            // Not in the way of a language, which may write a comma.
            is_float($value) => json_encode($value, JSON_THROW_ON_ERROR),
            default => (string) $value,
        };
    }
}
