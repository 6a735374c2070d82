import { type Dialect, dialectSurface } from "../dialects/dialect.ts";
import { createSession, type Session, type SessionParts } from "../runtime/sessions/session.ts";
import { nativeSurface, type Surface } from "../runtime/pipeline/surface.ts";

/** Serves one of several clients. */
export interface Conversation {
  readonly id: string;
  readonly surface: Surface;
  /** Ends its watches at once, and resolves when its commands have ended. */
  end(): Promise<void>;
}

/** Begins conversations, each with a session of its own. The watches and commands of a session end with it. */
export function createConversations(dialect: Dialect | undefined) {
  const sessions = new Set<Session>();
  return {
    begin(parts: SessionParts): Conversation & { readonly session: Session } {
      const session = createSession(parts);
      sessions.add(session);
      return {
        session,
        id: session.facts.id,
        surface: dialect ? dialectSurface(dialect, session) : nativeSurface(session),
        async end() {
          sessions.delete(session);
          await endSession(session);
        },
      };
    },
    endAll: async () => void (await Promise.all([...sessions].map(endSession))),
  };
}

async function endSession({ watches, commands }: Session): Promise<void> {
  watches.endAll();
  await commands?.endAll();
}
