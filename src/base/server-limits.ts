const KIB = 1024;
const MINUTE_MS = 60_000;

/** Bounds the HTTP server, its clients and the people who log in. Is part of LIMITS. */
export const SERVER_LIMITS = {
  /** Sets the port unless the operator names one. */
  httpPort: 4747,
  /** Caps the time that the headers of a request, and all of it, may take to arrive, and how often that is checked. */
  httpHeadersMs: 5000,
  httpRequestMs: 60_000,
  httpCheckMs: 1000,
  /** Caps the time that a connection stays open without a request. */
  httpIdleMs: 30_000,
  /** Caps the time that a client may leave an answer unread before its connection is closed. */
  httpStalledMs: 30_000,
  httpHeaderBytes: 16 * KIB,
  httpConnections: 1024,
  /** Caps the calls that run and the streams that are open of one account: it leaves connections to others. */
  httpAtOnce: 512,
  /** Caps the requests of one account, above what 200 busy clients make: at once after a pause, and per second. */
  httpBurst: 10_000,
  httpPerSecond: 5000,
  /** Caps the sessions of one account, and how long one is kept without a request or an open stream. */
  httpSessions: 256,
  httpSessionIdleMs: 60 * MINUTE_MS,
  /** Caps the sessions without a connection whose questions other sessions of the same agent may use. */
  awaySessions: 1024,
  /** Caps the events that a session keeps for a client that lost its connection. */
  httpEvents: 64,
  httpEventBytes: 512 * KIB,
  /** Sets how often a silent stream sends a comment, so that nobody takes it for dead. */
  httpKeepAliveMs: 15_000,
  /** Sets after how long a client that lost its stream should connect again. */
  httpRetryMs: 1000,
  /** Caps how long running calls are waited for when the server stops. */
  httpClosingMs: 30_000,
  /** Caps how long the command line waits for a server to start or stop, and how often it looks. */
  serverStartMs: 20_000,
  serverPollMs: 50,
  /** Sets how long a login link and a login last, and how many of each there can be. */
  loginCodeMs: 5 * MINUTE_MS,
  loginMs: 12 * 60 * MINUTE_MS,
  logins: 64,
  /** Caps the refused requests that are logged in a minute. */
  httpLogged: 100,
  /** Sets how often the sizes of journal and trash are measured at most. */
  measuredMs: 10_000,
} as const;
