// Signatures by the text of Standard Webhooks.

import { createHmac, timingSafeEqual } from 'crypto';

/** Seconds that a request may be old, or ahead of our clock. */
const TOLERANCE = 300;

export interface Signed {
	id: string;
	timestamp: string;
	signatures: string;
	body: Buffer | string;
}

/** Why the request is not from the server that has this secret; `undefined`: it is. */
export function distrust({ id, timestamp, signatures, body }: Signed, secret: string, now: number): string | undefined {
	if (!id || !signatures || !/^\d+$/.test(timestamp)) return 'it has no signature';
	if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE) return 'its time is more than five minutes off';
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
	const matches = signatures.split(' ').some((signature) => {
		const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
		return signature.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
	});
	return matches ? undefined : 'its signature is wrong';
}
