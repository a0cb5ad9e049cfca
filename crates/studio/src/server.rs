//! Routes. A call is a function from a typed request to a typed answer and runs on a blocking thread.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State as Given};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use rust_embed::Embed;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{self, Failure};
use crate::blocking::call;
use crate::failure::Refused;
use crate::state::State;
use crate::view::Links;
use crate::{assets, calls, discover, domain, guard, learn, place, rules, run, view};

/// Largest size of a request in bytes: it may contain a page, which JSON may make twice as large.
const MOST_BYTES: usize = 160 << 20;

/// The built front end.
#[derive(Embed)]
#[folder = "web/dist"]
struct Built;

/// General information in the OpenAPI description.
#[derive(OpenApi)]
#[openapi(info(
    title = "Windrow studio",
    description = "Wrappers by pointing. Every call needs the header `X-Windrow-Token`, which `windrow studio` prints as a part of its address."
))]
struct Description;

/// A JSON body whose errors are reported like all others.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refused> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(rejection) => Err(Refused::unfit("studio::request", rejection.body_text())),
        }
    }
}

/// Answer of a call.
pub(crate) type Answer<T> = Result<Json<T>, Refused>;

/// Returns the routes of all calls with their descriptions.
fn own_calls() -> OpenApiRouter<Arc<State>> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(start))
        .routes(routes!(open))
        .routes(routes!(close))
        .routes(routes!(place_info))
        .routes(routes!(run_rules))
        .routes(routes!(learn_example))
        .routes(routes!(find_lists))
        .merge(calls::calls())
}

/// Returns the router of the whole studio.
pub(crate) fn router(state: Arc<State>) -> Router {
    let (calls, description) = own_calls().split_for_parts();
    let description = Arc::new(description.to_pretty_json().unwrap_or_default());
    let calls = calls
        .route("/api/v1/openapi.json", get(move || async move { described(&description) }))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&state), guard::call));
    Router::new()
        .merge(calls)
        .route("/view/{key}/{page}", get(show))
        .route("/asset/{key}/{page}", get(asset))
        .fallback(built)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), guard::host))
        .layer(middleware::from_fn(guard::headers))
        .with_state(state)
}

fn described(description: &str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], description.to_owned()).into_response()
}

/// Initial state of the studio: the pages and wrapper given at the start.
#[utoipa::path(get, path = "/api/v1/start", responses((status = 200, body = api::Start)))]
async fn start(Given(state): Given<Arc<State>>) -> Answer<api::Start> {
    call(move || {
        let (pages, failures) = state.given().clone();
        let given = state.config.rules.as_ref();
        Ok(Json(api::Start {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pages,
            failures,
            rules: given.map(|(file, text)| rules::given(file, text)),
            file: given.map(|(file, _)| file.clone()),
            domains: domain::shipped(),
            can_render: windrow::fetch::render::Config::default().has_browser(),
        }))
    })
    .await
}

/// Opens a page.
#[utoipa::path(post, path = "/api/v1/pages", request_body = api::OpenRequest,
    responses((status = 200, body = api::Opened), (status = "4XX", body = Failure)))]
async fn open(Given(state): Given<Arc<State>>, Body(request): Body<api::OpenRequest>) -> Answer<api::Opened> {
    call(move || state.open(request).map(Json)).await
}

/// Closes a page.
#[utoipa::path(delete, path = "/api/v1/pages/{page}", params(("page" = u64, Path)), responses((status = 204)))]
async fn close(Given(state): Given<Arc<State>>, Path(page): Path<u64>) -> StatusCode {
    state.close(page);
    StatusCode::NO_CONTENT
}

/// Describes a place of a page.
#[utoipa::path(post, path = "/api/v1/pages/{page}/place", params(("page" = u64, Path)),
    request_body = api::PlaceRequest, responses((status = 200, body = api::PlaceInfo), (status = "4XX", body = Failure)))]
async fn place_info(
    Given(state): Given<Arc<State>>,
    Path(page): Path<u64>,
    Body(request): Body<api::PlaceRequest>,
) -> Answer<api::PlaceInfo> {
    call(move || place::info(state.page(page)?.page.document(), &request.spot).map(Json)).await
}

/// Runs rules on a page.
#[utoipa::path(post, path = "/api/v1/run", request_body = api::RunRequest,
    responses((status = 200, body = api::RunResult), (status = "4XX", body = Failure)))]
async fn run_rules(Given(state): Given<Arc<State>>, Body(request): Body<api::RunRequest>) -> Answer<api::RunResult> {
    call(move || {
        let page = state.page(request.page)?;
        Ok(Json(run::run(&rules::Rules::read(request.rules)?, &page.page)))
    })
    .await
}

/// Learns from examples that the user points at.
#[utoipa::path(post, path = "/api/v1/learn/example", request_body = api::ExampleRequest,
    responses((status = 200, body = api::Learned), (status = "4XX", body = Failure)))]
async fn learn_example(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::ExampleRequest>,
) -> Answer<api::Learned> {
    call(move || learn::example(&state, request).map(Json)).await
}

/// Finds the lists of a page.
#[utoipa::path(post, path = "/api/v1/discover", request_body = api::DiscoverRequest,
    responses((status = 200, body = api::Discovered), (status = "4XX", body = Failure)))]
async fn find_lists(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::DiscoverRequest>,
) -> Answer<api::Discovered> {
    call(move || discover::discover(&state, &request).map(Json)).await
}

/// Serves the view of a page.
async fn show(
    Given(state): Given<Arc<State>>,
    Path((key, id)): Path<(String, u64)>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    known(&state, &key)?;
    let host = guard::named(&headers).unwrap_or_default().to_owned();
    call(move || {
        let page = state.page(id)?;
        let script = Built::get("frame.js").map(|file| String::from_utf8_lossy(&file.data).into_owned());
        let nonce = state.nonce()?;
        let folder = match &page.origin {
            crate::state::Origin::File(_) => std::path::absolute(&page.info.name).ok(),
            _ => None,
        };
        // A file's own address, unless the page says what it is relative to.
        let own = folder.and_then(|path| url::Url::from_file_path(path).ok());
        let base = own.or_else(|| page.page.base().cloned());
        let links = Links { base, assets: assets::assets(&state, id) };
        let html = view::write(page.page.document(), &links, script.as_deref().unwrap_or_default(), &nonce);
        let from = format!("http://{host}/asset/{}/{id}", state.key);
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline' {from}; img-src {from} data:; \
             font-src {from} data:; base-uri 'none'; form-action 'none'; frame-ancestors http://{host}; \
             sandbox allow-scripts"
        );
        let policy = HeaderValue::from_str(&policy).map_err(|_| Refused::internal("the host name is invalid"))?;
        let kind = HeaderValue::from_static("text/html; charset=utf-8");
        Ok(([(header::CONTENT_SECURITY_POLICY, policy), (header::CONTENT_TYPE, kind)], html).into_response())
    })
    .await
}

/// Query of an asset request.
#[derive(Debug, Deserialize)]
struct Named {
    u: String,
}

/// Serves an asset of a page.
async fn asset(
    Given(state): Given<Arc<State>>,
    Path((key, id)): Path<(String, u64)>,
    Query(named): Query<Named>,
) -> Result<Response, Refused> {
    known(&state, &key)?;
    call(move || assets::asset(&state, id, &named.u)).await
}

fn known(state: &State, key: &str) -> Result<(), Refused> {
    if guard::same(key.as_bytes(), state.key.as_bytes()) {
        Ok(())
    } else {
        Err(Refused::forbidden("studio::key", "the key is wrong"))
    }
}

/// Content security policy of the front end: no external resources and no inline scripts.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Serves a file of the front end.
async fn built(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(file) = Built::get(path) else {
        return Refused::missing("studio::no_file", format!("the studio has no file `{path}`")).into_response();
    };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    let headers =
        [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY), (header::CACHE_CONTROL, "no-cache")];
    (headers, file.data.into_owned()).into_response()
}
