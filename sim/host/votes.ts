/** Which servers' votes a process has seen for each hold: replies to commands that set a key of the hold. */
export class Votes {
  private seen: { hold: string; server: string }[] = [];

  add(hold: string, server: string): void {
    this.seen.push({ hold, server });
  }

  /** The servers whose votes counted for a hold; forgets them. */
  take(hold: string): string[] {
    const servers: string[] = [];
    for (const vote of this.seen)
      if (vote.hold === hold && !servers.includes(vote.server)) servers.push(vote.server);
    // Other tasks of the process may be voting.
    this.seen = this.seen.filter((vote) => vote.hold !== hold);
    return servers;
  }
}
