/// An example of docs/guide.
module org.example.hello {
    requires org.ibidem.core;
}
