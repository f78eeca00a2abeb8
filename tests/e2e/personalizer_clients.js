// Sessions of Personalizer's two clients for JavaScript, as they come: node personalizer_clients.js KIND ENDPOINT KEY
// MODULES. Prints one JSON object: what each call answered.
const path = require('path');

const [kind, endpoint, key, modules] = process.argv.slice(2);
const load = (name) => require(path.join(modules, 'node_modules', name));
const request = {
  eventId: `from-${kind}`,
  contextFeatures: [{timeOfDay: 'morning'}, {user: {age: 31}}],
  actions: [
    {id: 'news', features: [{topic: 'politics'}]},
    {id: 'sport', features: [{topic: 'football'}]},
    {id: 'film', features: [{topic: 'comedy'}]},
  ],
  excludedActions: ['sport'],
};
const deferred = {
  ...request,
  eventId: `deferred-from-${kind}`,
  deferActivation: true
};

async function first() {
  const {PersonalizerClient} = load('@azure/cognitiveservices-personalizer');
  const {ApiKeyCredentials} = load('@azure/ms-rest-js');
  const credentials = (text) => new ApiKeyCredentials({inHeader: {'Ocp-Apim-Subscription-Key': text}});
  const client = new PersonalizerClient(credentials(key), endpoint);
  const rank = await client.rank(request);
  const status = async (call) => (await call)._response.status;
  const refused = (call) => call.then(() => null, (error) => [error.statusCode, error.body.error.code]);
  return {
    rank: {
      status: rank._response.status,
      ranking: rank.ranking,
      eventId: rank.eventId,
      rewardActionId: rank.rewardActionId
    },
    reward: await status(client.events.reward(request.eventId, {value: 0.5})),
    deferred: (await client.rank(deferred))._response.status,
    activate: await status(client.events.activate(deferred.eventId)),
    noActions: await refused(client.rank({actions: []})),
    wrongKey: await refused(new PersonalizerClient(credentials('wrong'), endpoint).rank(request)),
  };
}

async function rest() {
  const createPersonalizerClient = load('@azure-rest/ai-personalizer').default;
  const client = createPersonalizerClient(endpoint, {key});
  const post = (address, id, body) => client.path(address, ...(id ? [id] : [])).post(body ? {body} : {});
  const rank = await post('/rank', null, request);
  const none = await post('/rank', null, {actions: []});
  const slots =
      await post('/multislot/rank', null, {actions: request.actions, slots: [{id: 'top', baselineAction: 'news'}]});
  return {
    rank: {status: Number(rank.status), ...rank.body},
    reward: Number((await post('/events/{eventId}/reward', request.eventId, {value: 0.5})).status),
    deferred: Number((await post('/rank', null, deferred)).status),
    activate: Number((await post('/events/{eventId}/activate', deferred.eventId)).status),
    noActions: [Number(none.status), none.body.error.code],
    slots: [Number(slots.status), slots.body.error.code],
    configuration: Number((await client.path('/configurations/service').get()).status),
  };
}

(kind === 'first' ? first() : rest())
    .then(
        (told) => console.log(JSON.stringify(told)),
        (error) => {
          console.error(error);
          process.exit(1);
        },
    );
