import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely'

import { requestAddress } from '../../base/http/request-address.ts'
import type { Schema } from '../schema.ts'

/** An event of an account or of the host, for the security log and the audit log. */
export interface AccountEvent {
  readonly id: number
  /** `signed-in`, `token-created`, `user-disabled` …, see `describe-event.ts`. */
  readonly kind: string
  /** Login of the account that the event is about; null = the host. */
  readonly login: string | null
  /** Login of the actor; null = the command line, or unknown. */
  readonly actor: string | null
  readonly address: string | null
  readonly detail: string | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** An event before it has an id. */
export interface NewAccountEvent {
  readonly kind: string
  readonly userId: string | null
  readonly actorId: string | null
  /** @default the address of the request that is being handled */
  readonly address?: string | null
  readonly detail?: string | null
}

/** A part of the log. */
export interface EventWindow {
  /** null = of all users. */
  readonly userId: string | null
  /** Kind of the events to list; null = all. */
  readonly kind?: string | null
  readonly limit: number
  /** Id that the events to list must be older than; null = from the newest. */
  readonly beforeId: number | null
}

/** Filters for events; null = any. */
export interface EventFilter {
  readonly kind: string | null
  /** The account that the event is about, or the actor. */
  readonly involvedId: string | null
  /** Epoch milliseconds, inclusive. */
  readonly since: number | null
  /** Epoch milliseconds, exclusive. */
  readonly until: number | null
}

/** The event log. Rows are only added. */
export interface AccountEvents {
  add(event: NewAccountEvent): Promise<void>
  /** Calls `listener` for every event that this process adds from now on, after it is stored. */
  onAdd(listener: (event: NewAccountEvent) => void): void
  /** Newest first. */
  list(window: EventWindow): Promise<readonly AccountEvent[]>
  /** Matching events, newest first. */
  search(filter: EventFilter, window: Pick<EventWindow, 'limit' | 'beforeId'>): Promise<readonly AccountEvent[]>
  /** Every kind in the log, sorted. */
  listKinds(): Promise<readonly string[]>
}

/** Creates the event log of a database. */
export function createAccountEvents(db: Kysely<Schema>): AccountEvents {
  const listeners: ((event: NewAccountEvent) => void)[] = []
  const newestFirst = db
    .selectFrom('account_event')
    .leftJoin('user as subject', 'subject.id', 'account_event.user_id')
    .leftJoin('user as actor', 'actor.id', 'account_event.actor_id')
    .select([
      'account_event.id',
      'account_event.kind',
      'subject.login',
      'actor.login as actor',
      'account_event.address',
      'account_event.detail',
      'account_event.created_at',
    ])
    .orderBy('account_event.id', 'desc')

  return {
    async add(event) {
      const { kind, userId, actorId, address = requestAddress(), detail = null } = event
      await db
        .insertInto('account_event')
        .values({ kind, user_id: userId, actor_id: actorId, address, detail, created_at: Date.now() })
        .execute()
      for (const listener of listeners) listener(event)
    },

    onAdd(listener) {
      listeners.push(listener)
    },

    async list({ userId, kind = null, limit, beforeId }) {
      let query = newestFirst.limit(limit)
      if (userId !== null) query = query.where('account_event.user_id', '=', userId)
      if (kind !== null) query = query.where('account_event.kind', '=', kind)
      if (beforeId !== null) query = query.where('account_event.id', '<', beforeId)
      return (await query.execute()).map(toEvent)
    },

    async search({ involvedId, ...filter }, window) {
      const matching = db
        .selectFrom('account_event')
        .select('id')
        .where((is) => is.and(matches(is, filter, window)))
        .orderBy('id', 'desc')
        .limit(window.limit)
      const found = newestFirst.limit(window.limit)
      if (involvedId === null) return (await found.where('account_event.id', 'in', matching).execute()).map(toEvent)
      // Each has an index, which gives the newest first. For an OR of the two, SQLite would read the whole log.
      const involving = (column: 'user_id' | 'actor_id') =>
        db.selectFrom(matching.where(column, '=', involvedId).as('matching')).select('id')
      const query = found.where('account_event.id', 'in', involving('user_id').unionAll(involving('actor_id')))
      return (await query.execute()).map(toEvent)
    },

    async listKinds() {
      // Looks up each kind in the index after the previous one: a DISTINCT would read the whole log.
      const { rows } = await sql<{ kind: string }>`
        with recursive found (kind) as (
          select min(kind) from account_event
          union all
          select (select min(kind) from account_event where account_event.kind > found.kind) from found
          where found.kind is not null
        )
        select kind from found where kind is not null order by kind`.execute(db)
      return rows.map(({ kind }) => kind)
    },
  }
}

function matches(
  is: ExpressionBuilder<Schema, 'account_event'>,
  { kind, since, until }: Omit<EventFilter, 'involvedId'>,
  { beforeId }: Pick<EventWindow, 'beforeId'>,
): Expression<SqlBool>[] {
  return [
    ...(kind === null ? [] : [is('kind', '=', kind)]),
    ...(since === null ? [] : [is('created_at', '>=', since)]),
    ...(until === null ? [] : [is('created_at', '<', until)]),
    ...(beforeId === null ? [] : [is('id', '<', beforeId)]),
  ]
}

function toEvent({
  created_at: createdAt,
  ...row
}: Omit<AccountEvent, 'createdAt'> & { readonly created_at: number }): AccountEvent {
  return { ...row, createdAt }
}
