/// An example of docs/guide.
module org.example.choose {
    requires org.ibidem.core;
}
