// What a trigger has seen: events, which can arrive twice, and how far the visit of each lead was.

import type { IDataObject } from 'n8n-workflow';

export interface Visit {
	requestedAt: string;
	state: string;
}

export interface Lead extends IDataObject {
	id: string;
	inspection: (Visit & IDataObject) | null;
}

export interface Memory extends IDataObject {
	/** Ids of events, the newest last. */
	seen?: string[];
	/** By lead: when its visit was asked for and how it stands. */
	visits?: { [lead: string]: string };
}

const MOST_EVENTS = 200;
const MOST_VISITS = 1_000;

/** Whether this event is new; it is then known. */
export function isNew(memory: Memory, event: string): boolean {
	const seen = memory.seen ?? [];
	if (seen.includes(event)) return false;
	memory.seen = [...seen, event].slice(-MOST_EVENTS);
	return true;
}

const stands = ({ requestedAt, state }: Visit) => `${requestedAt} ${state}`;

export function noteVisit(memory: Memory, { id, inspection }: Lead): void {
	if (!inspection) return;
	const { [id]: _, ...others } = memory.visits ?? {};
	memory.visits = Object.fromEntries([...Object.entries(others), [id, stands(inspection)]].slice(-MOST_VISITS));
}

/** What is new of the visit; every change of a lead sends it again. It is then known. */
export function newOfVisit(memory: Memory, lead: Lead): 'visitRequested' | 'visitBooked' | undefined {
	if (!lead.inspection || memory.visits?.[lead.id] === stands(lead.inspection)) return undefined;
	noteVisit(memory, lead);
	if (lead.inspection.state === 'asked') return 'visitRequested';
	return lead.inspection.state === 'confirmed' ? 'visitBooked' : undefined;
}
