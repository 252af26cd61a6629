/// What running applications compute, as a picture on a page: `ibidem watch`.
///
/// Each process of the job exports a [Window], at its own node under [Window#NAME]. The watcher is
/// a visitor of the pool: it has a call under way to each process, which answers at the end of the
/// step that it computes ([Shown]), puts the parts together ([Mosaic]), and gives the picture to a
/// browser of its own machine ([Page]). Everybody asks for the next picture when the last one has
/// come, so whoever is slow, or behind a slow line, gets fewer of them, and the job computes none
/// that nobody has asked for.
///
/// An application that wants to be watched calls [Shown#step] after each step, and has a line
/// `watch = org.ibidem.apps.view.Watch` in its `application.properties`.
package org.ibidem.apps.view;
