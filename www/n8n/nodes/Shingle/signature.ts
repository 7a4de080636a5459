// Signatures by the text of Standard Webhooks: by a secret that both know, or by a key that the server publishes.

import { createHmac, createPublicKey, timingSafeEqual, verify } from 'crypto';

/** Seconds that a request may be old, or ahead of our clock. */
const TOLERANCE = 300;

export interface Signed {
	id: string;
	timestamp: string;
	signatures: string;
	body: Buffer;
}

/** Whether a signature fits. */
export type Check = (content: Buffer, signature: string) => boolean;

export function bySecret(secret: string): Check {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	return (content, signature) => {
		const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
		const wanted = createHmac('sha256', key).update(content).digest();
		return signature.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
	};
}

export function byPublicKey(published: string): Check {
	const x = Buffer.from(published.replace(/^whpk_/, ''), 'base64').toString('base64url');
	const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
	return (content, signature) => signature.startsWith('v1a,') && verify(null, content, key, Buffer.from(signature.slice(4), 'base64'));
}

/** Why the request is not from our server; `undefined`: it is. */
export function distrust({ id, timestamp, signatures, body }: Signed, checks: Check[], now: number): string | undefined {
	if (!id || !signatures || !/^\d+$/.test(timestamp)) return 'it has no signature';
	if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE) return 'its time is more than five minutes off';
	const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
	return signatures.split(' ').some((signature) => checks.some((fits) => fits(content, signature))) ? undefined : 'its signature is wrong';
}
