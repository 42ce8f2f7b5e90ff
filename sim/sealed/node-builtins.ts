/** Node only: the host's own modules, handed to the realm. Import it for its effect. */
import assert from 'node:assert';
import assertStrict from 'node:assert/strict';
import asyncHooks from 'node:async_hooks';
import buffer from 'node:buffer';
import constants from 'node:constants';
import crypto from 'node:crypto';
import events from 'node:events';
import fs from 'node:fs';
import module from 'node:module';
import net from 'node:net';
import path from 'node:path';
import posix from 'node:path/posix';
import win32 from 'node:path/win32';
import querystring from 'node:querystring';
import stream from 'node:stream';
import streamConsumers from 'node:stream/consumers';
import streamPromises from 'node:stream/promises';
import streamWeb from 'node:stream/web';
import stringDecoder from 'node:string_decoder';
import url from 'node:url';
import util from 'node:util';
import utilTypes from 'node:util/types';
import zlib from 'node:zlib';
import { provideBuiltins } from './builtins.js';

provideBuiltins({
  assert,
  'assert/strict': assertStrict,
  async_hooks: asyncHooks,
  buffer,
  constants,
  crypto,
  events,
  fs,
  module,
  net,
  path,
  'path/posix': posix,
  'path/win32': win32,
  querystring,
  stream,
  'stream/consumers': streamConsumers,
  'stream/promises': streamPromises,
  'stream/web': streamWeb,
  string_decoder: stringDecoder,
  url,
  util,
  'util/types': utilTypes,
  zlib,
});
