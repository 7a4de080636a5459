// Requests to the server: where it is, how often one is tried, and what its errors say.

import type { IDataObject, IExecuteFunctions, IHookFunctions, IHttpRequestMethods, IWebhookFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';

type Caller = IExecuteFunctions | IHookFunctions | IWebhookFunctions;

/** Seconds that one request waits for a server that has too many. */
const LONGEST_WAIT = 60;
const TRIES = 4;

/** The origin of what was typed: people paste a page of the portal, or leave out `https://`. */
export function originOf(typed: string): string | undefined {
	const text = typed.trim();
	const match = /^(https?:\/\/)?([^/?#\s@]+)(?:[/?#]|$)/i.exec(text);
	if (!match || /^[a-z]+:\/\//i.test(text) !== Boolean(match[1])) return undefined;
	return (match[1] ?? 'https://').toLowerCase() + match[2].toLowerCase();
}

interface Answer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

export async function request(
	caller: Caller,
	method: IHttpRequestMethods,
	path: string,
	more: { body?: IDataObject; qs?: IDataObject; itemIndex?: number } = {},
): Promise<IDataObject> {
	const answer = await ask(caller, method, path, more);
	if (answer.statusCode >= 200 && answer.statusCode < 300) return answer.body as IDataObject;
	throw refusal(caller, answer, more.itemIndex);
}

/** The same where a status of the server decides what is next. */
export async function ask(
	caller: Caller,
	method: IHttpRequestMethods,
	path: string,
	{ body, qs, itemIndex }: { body?: IDataObject; qs?: IDataObject; itemIndex?: number } = {},
): Promise<Answer> {
	const { server } = await caller.getCredentials<{ server: string }>('shingleApi');
	const origin = originOf(server);
	if (!origin) {
		throw new NodeOperationError(caller.getNode(), 'The server in the credentials must be an address such as https://roofs.example.com.', { itemIndex });
	}
	for (let tried = 1; ; tried++) {
		const answer = (await caller.helpers.httpRequestWithAuthentication.call(caller, 'shingleApi', {
			method,
			url: origin + path,
			body,
			qs,
			json: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Another server would get the key.
			disableFollowRedirect: true,
			timeout: 60_000,
		})) as Answer;
		const wait = Number(answer.headers['retry-after'] ?? 1);
		if (answer.statusCode !== 429 || tried === TRIES || !(wait <= LONGEST_WAIT)) return answer;
		await sleep(wait * 1000);
	}
}

export function refusal(caller: Caller, { statusCode, headers, body }: Answer, itemIndex?: number): NodeApiError {
	const said = (body as IDataObject | null)?.message;
	const sentences = Array.isArray(said) ? said.join('. ') : typeof said === 'string' ? said : `HTTP ${statusCode}`;
	const message = (() => {
		if (statusCode === 401) return `${sentences}. The key may be revoked or past its last day: enter a new one in the credentials.`;
		if (statusCode === 403) return `${sentences}. Use a key that may do this.`;
		if (statusCode === 429) return `${sentences}. Try again in ${String(headers['retry-after'] ?? 60)} seconds.`;
		if (statusCode >= 300 && statusCode < 400) return `The server sends elsewhere, to ${String(headers.location)}. Enter that address in the credentials.`;
		return sentences;
	})();
	return new NodeApiError(caller.getNode(), { message, statusCode } as JsonObject, { message, httpCode: String(statusCode), itemIndex });
}
