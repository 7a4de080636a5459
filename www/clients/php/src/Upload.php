<?php

declare(strict_types=1);

namespace Shingle\Client;

/** A picture for a form. */
final class Upload
{
    public function __construct(public readonly string $bytes, public readonly string $name = 'picture')
    {
    }

    public static function fromFile(string $path): self
    {
        $bytes = @file_get_contents($path);
        if ($bytes === false) {
            throw new ShingleException("$path cannot be read");
        }
        return new self($bytes, basename($path));
    }
}
