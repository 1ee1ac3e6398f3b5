/** Checks an address or a token when it is given; a later error would look like one of the network. */

/**
 * Returns the address of a service, without a slash at its end.
 *
 * @throws TypeError if it is not the address of a service
 */
export function address(given: string | URL): string {
  const url = String(given);
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    throw new TypeError(`"${url}" is no address of a service: those begin with http:// or https://`);
  }
  return url.replace(/\/+$/, "");
}

/**
 * Returns a token unchanged, after checking its form. The error does not repeat the token, which is a secret.
 *
 * @throws TypeError if the token is malformed
 */
export function secret(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[!-~]+$/.test(token)) {
    throw new TypeError("This is no token: it is empty, or has spaces, line ends or other than ASCII characters in it");
  }
  return token;
}
