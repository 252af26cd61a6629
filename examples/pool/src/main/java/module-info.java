/// An example of docs/guide.
module org.example.pool {
    requires org.ibidem.core;
    requires org.ibidem.hub;
}
