import { type Dialect, dialectSurface } from "../dialects/dialect.ts";
import { createSession, type Session, type SessionParts } from "../runtime/pipeline/session.ts";
import { nativeSurface, type Surface } from "../runtime/pipeline/surface.ts";

/** What one of several clients is served. */
export interface Conversation {
  readonly id: string;
  readonly surface: Surface;
  end(): void;
}

/** Begins conversations, each with a session of its own. What a session watches ends with it. */
export function createConversations(dialect: Dialect | undefined) {
  const begun = new Set<Session>();
  return {
    begin(parts: SessionParts): Conversation & { readonly session: Session } {
      const session = createSession(parts);
      begun.add(session);
      return {
        session,
        id: session.facts.id,
        surface: dialect ? dialectSurface(dialect, session) : nativeSurface(session),
        end() {
          begun.delete(session);
          session.watches.endAll();
        },
      };
    },
    endAll: () => begun.forEach(({ watches }) => watches.endAll()),
  };
}
