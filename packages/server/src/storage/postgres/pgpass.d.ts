declare module 'pgpass' {
  interface Connection {
    readonly host: string;
    readonly port: number;
    readonly database: string | undefined;
    readonly user: string | undefined;
  }
  /** Looks a password up in PGPASSFILE or ~/.pgpass; the package has no types of its own. */
  export default function pgpass(
    connection: Connection,
    found: (password: string | undefined) => void,
  ): void;
}
