/** Says what is wrong with an address or a token when it is given; afterwards it would look like a lost network. */

/**
 * Returns the address of a service, without a slash at its end.
 *
 * @throws TypeError if it is none
 */
export function address(given: string | URL): string {
  const url = String(given);
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    throw new TypeError(`"${url}" is no address of a service: those begin with http:// or https://`);
  }
  return url.replace(/\/+$/, "");
}

/**
 * Returns a token as it was given. What is wrong with it is said without it, for it is a secret.
 *
 * @throws TypeError if it is none
 */
export function secret(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[!-~]+$/.test(token)) {
    throw new TypeError("This is no token: it is empty, or has spaces, line ends or other than ASCII characters in it");
  }
  return token;
}
