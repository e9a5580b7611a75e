import type { LimitAsk, WaitReason } from "../port/index.ts";

/**
 * What a decision needs to know. `older` holds the live waiters that asked before, oldest first; one for
 * each signature is enough (see `askSignature`).
 */
export type PermitView = {
  /** Live leases of a limit. */
  readonly used: (limit: string) => number;
  /** Moment of a paced limit's last grant. */
  readonly lastGrantAt: (limit: string) => number | undefined;
  readonly older: readonly { readonly limits: readonly LimitAsk[] }[];
};

export type Verdict =
  | { readonly kind: "grant" }
  | { readonly kind: "wait-until"; readonly at: number; readonly why: WaitReason }
  | { readonly kind: "wait-for-release"; readonly why: WaitReason };

type Step = { readonly kind: "capacity" | "pace"; readonly limit: LimitAsk };

/** An older waiter's steps and the first one it cannot pass; `reach === steps.length` is ready to be granted. */
type Standing = { readonly steps: readonly Step[]; readonly reach: number };

type Obstacle = { readonly why: WaitReason; readonly at?: number };

/**
 * Decides one ask.
 *
 * An ask climbs steps: a free slot in each limit, in the order in which the ask names them, then the pace
 * of each paced limit. A waiter
 * - keeps what is below the step it stands on: one free slot of each such limit (the oldest such waiter
 *   only), the due pace of each such paced limit;
 * - is first in line at the step it stands on: younger asks queue behind it there;
 * - yields what is above: younger asks may use it meanwhile.
 *
 * So a limit that is full delays only who needs it, and the oldest live waiter climbs without ever
 * falling back: each slot it waits for becomes free when leases end, and then stays free for it. When it
 * is granted or gone the next one is the oldest, therefore nobody starves. Name the narrowest limit first
 * (an orchestration's before a provider's), for then a waiter never keeps a wide limit's slot idle while it
 * waits for its own narrow one. The guarantee needs holders that do not wait for a second permit while
 * they hold one: ask for everything in one ask.
 */
export function decide(view: PermitView, limits: readonly LimitAsk[], now: number): Verdict {
  const standings: Standing[] = [];
  for (const waiter of view.older) standings.push(standingOf(view, standings, waiter.limits, now));
  const obstacle = firstObstacle(view, standings, stepsOf(limits), now);
  if (obstacle === undefined) return { kind: "grant" };
  const { why, at } = obstacle.found;
  return at === undefined ? { kind: "wait-for-release", why } : { kind: "wait-until", at, why };
}

function stepsOf(limits: readonly LimitAsk[]): Step[] {
  const paced = limits.filter((limit) => limit.intervalMs > 0);
  return [
    ...limits.map((limit) => ({ kind: "capacity", limit }) as const),
    ...paced.map((limit) => ({ kind: "pace", limit }) as const),
  ];
}

function standingOf(view: PermitView, older: readonly Standing[], limits: readonly LimitAsk[], now: number): Standing {
  const steps = stepsOf(limits);
  return { steps, reach: firstObstacle(view, older, steps, now)?.index ?? steps.length };
}

function firstObstacle(
  view: PermitView,
  older: readonly Standing[],
  steps: readonly Step[],
  now: number,
): { index: number; found: Obstacle } | undefined {
  for (const [index, step] of steps.entries()) {
    const found =
      step.kind === "capacity" ? slotObstacle(view, older, step.limit) : paceObstacle(view, older, step, now);
    if (found !== undefined) return { index, found };
  }
  return undefined;
}

function slotObstacle(view: PermitView, older: readonly Standing[], limit: LimitAsk): Obstacle | undefined {
  const used = view.used(limit.name);
  const capacity = limit.capacity ?? Number.POSITIVE_INFINITY;
  if (used >= capacity) return { why: { limit: limit.name, reason: "full" } };
  const queued: Obstacle = { why: { limit: limit.name, reason: "queued" } };
  let isSlotKept = false;
  for (const standing of older) {
    const index = indexOfStep(standing, "capacity", limit.name);
    const theirs = standing.steps[index]?.limit.capacity ?? null;
    if (theirs === null || index > standing.reach) continue;
    if (index === standing.reach || isReady(standing)) return queued;
    if (!isSlotKept && used + 1 >= Math.min(capacity, theirs)) return queued;
    isSlotKept = true;
  }
  return undefined;
}

function paceObstacle(view: PermitView, older: readonly Standing[], step: Step, now: number): Obstacle | undefined {
  const { name, intervalMs } = step.limit;
  const isTaken = older.some((standing) => {
    const index = indexOfStep(standing, "pace", name);
    return index >= 0 && index <= standing.reach;
  });
  if (isTaken) return { why: { limit: name, reason: "queued" } };
  const last = view.lastGrantAt(name);
  const due = last === undefined ? now : paceDue(last, intervalMs, now);
  return due > now ? { why: { limit: name, reason: "paced" }, at: due } : undefined;
}

/** A mark more than one interval ahead can only come from a clock that was set back; it must not stop a limit for hours. */
function paceDue(last: number, intervalMs: number, now: number): number {
  return last > now + intervalMs ? now : last + intervalMs;
}

function isReady(standing: Standing): boolean {
  return standing.reach === standing.steps.length;
}

function indexOfStep(standing: Standing, kind: Step["kind"], limit: string): number {
  return standing.steps.findIndex((step) => step.kind === kind && step.limit.name === limit);
}
